import { assert, describe, it } from "@effect/vitest"
import { Option, Result, type Schema } from "effect"
import { chatCompletions, decode, messages } from "#src/domain/request/RequestFormat"
import { parse } from "#src/domain/schema/ExactNumber"

const promptOf = (format: typeof messages, body: Schema.JsonObject): string | null =>
  Result.getOrThrow(decode(format, { body })).systemPrompt

const refusalOf = (format: typeof messages, body: unknown): string | undefined =>
  Option.getOrUndefined(Result.getFailure(decode(format, { body })))?.message

const text = (value: string) => ({ type: "text", text: value })

const rows: ReadonlyArray<
  readonly [title: string, conversation: Array<Schema.JsonObject>, prompt: string | null]
> = [
  ["an empty conversation", [], null],
  [
    "messages from a user and an assistant",
    [{ role: "user", content: "a" }, { role: "assistant" }],
    null
  ],
  ["one system message", [{ role: "system", content: "Be brief." }], "Be brief."],
  [
    "system and developer messages at any position",
    [
      { role: "developer", content: "One." },
      { role: "user", content: "Hello" },
      { role: "system", content: "Two.\n" }
    ],
    "One.\n\nTwo.\n"
  ],
  ["blocks of text", [{ role: "system", content: [text("One."), text("Two.")] }], "One.\n\nTwo."],
  ["empty text", [{ role: "system", content: "" }], null],
  [
    "messages with other roles, whatever they contain",
    [
      { role: "user", content: [{ type: "image_url" }, { type: "text", text: 1 }] },
      { role: "assistant", content: null }
    ],
    null
  ],
  ["a message with a capitalised role", [{ role: "System", content: "no" }], null],
  ["a message with a role named constructor", [{ role: "constructor", content: "no" }], null]
]

/**
 * Content that inference refuses. A prompt made from the remaining parts would differ from the sent
 * one.
 */
const refused: ReadonlyArray<readonly [title: string, content: Schema.Json, problem: string]> = [
  [
    "an image next to text",
    [{ type: "image_url", text: "no" }, text("One.")],
    "content[0].type: must be text"
  ],
  ["text that is not a string", [{ type: "text", text: 1 }], "content[0].text: must be a string"],
  ["a block without its text", [text("One."), { type: "text" }], "content[1].text: required"],
  ["null", null, "content: must be a string or an array"]
]

describe("the system prompt of a conversation", () => {
  for (const [title, conversation, prompt] of rows) {
    it(`is ${JSON.stringify(prompt)} if the body has ${title}`, () => {
      assert.strictEqual(promptOf(chatCompletions, { messages: conversation }), prompt)
      assert.strictEqual(promptOf(messages, { messages: conversation }), prompt)
    })
  }

  for (const [title, content, problem] of refused) {
    it(`is never made from ${title}`, () => {
      for (const format of [chatCompletions, messages]) {
        for (const role of ["system", "developer"]) {
          const refusal = refusalOf(format, { messages: [{ role, content }] })
          assert.strictEqual(refusal, `Invalid request parameters: messages[0].${problem}`)
        }
      }
    })
  }

  it("is never made from a number, not even from a long one", () => {
    const body = parse(
      '{"messages":[{"role":"system","content":[{"type":"text","text":9223372036854775807}]}]}'
    )
    assert.strictEqual(
      refusalOf(chatCompletions, Option.getOrThrow(body)),
      "Invalid request parameters: messages[0].content[0].text: must be a string"
    )
  })

  it("begins with the text of the system field, wherever that field is in the body", () => {
    const conversation = [{ role: "system", content: "Two." }]
    const system = [text("One."), text("Still one.")]
    const prompt = "One.\n\nStill one.\n\nTwo."
    assert.strictEqual(promptOf(messages, { messages: conversation, system }), prompt)
    assert.strictEqual(promptOf(messages, { system, messages: conversation }), prompt)
    assert.strictEqual(promptOf(messages, { messages: [], system: "One." }), "One.")
    assert.isNull(promptOf(messages, { messages: [], system: [] }))
  })
})
