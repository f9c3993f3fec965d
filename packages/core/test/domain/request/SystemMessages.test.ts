import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { chatCompletions, decode, messages } from "#src/domain/request/RequestFormat"

const promptOf = (format: typeof messages, body: Schema.JsonObject): string | null =>
  Result.getOrThrow(decode(format, { body })).systemPrompt

const text = (value: string) => ({ type: "text", text: value })

const rows: ReadonlyArray<
  readonly [title: string, conversation: Array<Schema.JsonObject>, prompt: string | null]
> = [
  ["an empty conversation", [], null],
  ["a user and an assistant", [{ role: "user", content: "a" }, { role: "assistant" }], null],
  ["one system message", [{ role: "system", content: "Be brief." }], "Be brief."],
  [
    "system and developer messages wherever they stand",
    [
      { role: "developer", content: "One." },
      { role: "user", content: "Hello" },
      { role: "system", content: "Two.\n" }
    ],
    "One.\n\nTwo.\n"
  ],
  ["blocks of text", [{ role: "system", content: [text("One."), text("Two.")] }], "One.\n\nTwo."],
  [
    "the text beside an image",
    [{ role: "system", content: [{ type: "image_url", text: "no" }, text("One.")] }],
    "One."
  ],
  ["an image alone", [{ role: "system", content: [{ type: "image_url" }] }], null],
  ["a block without text", [{ role: "system", content: [{ type: "text", text: 1 }] }], null],
  [
    "null and empty text",
    [
      { role: "system", content: null },
      { role: "system", content: "" }
    ],
    null
  ],
  ["another case of the role", [{ role: "System", content: "no" }], null],
  ["a key of the prototype", [{ role: "constructor", content: "no" }], null]
]

describe("the system prompt of a conversation", () => {
  for (const [title, conversation, prompt] of rows) {
    it(`of ${title} is ${JSON.stringify(prompt)}`, () => {
      assert.strictEqual(promptOf(chatCompletions, { messages: conversation }), prompt)
      assert.strictEqual(promptOf(messages, { messages: conversation }), prompt)
    })
  }

  it("begins with the field system, wherever that is sent", () => {
    const conversation = [{ role: "system", content: "Two." }]
    const system = [text("One."), text("Still one.")]
    const prompt = "One.\n\nStill one.\n\nTwo."
    assert.strictEqual(promptOf(messages, { messages: conversation, system }), prompt)
    assert.strictEqual(promptOf(messages, { system, messages: conversation }), prompt)
    assert.strictEqual(promptOf(messages, { messages: [], system: "One." }), "One.")
    assert.isNull(promptOf(messages, { messages: [], system: [] }))
  })

  const Spoken = Schema.Struct({
    role: Schema.Literals(["system", "developer", "user", "assistant"]),
    content: Schema.Literals(["a", "b", "c"])
  })

  it.prop(
    "is that of its system and developer messages alone",
    [Arbitrary.schema(Schema.Array(Spoken))],
    ([conversation]) => {
      const spoken = conversation.filter(({ role }) => role === "system" || role === "developer")
      const prompt = spoken.map(({ content }) => content).join("\n\n")
      assert.strictEqual(
        promptOf(chatCompletions, { messages: conversation }),
        spoken.length === 0 ? null : prompt
      )
    }
  )
})
