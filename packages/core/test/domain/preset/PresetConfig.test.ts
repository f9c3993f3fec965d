import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import * as PresetConfig from "#src/domain/preset/PresetConfig"
import { ResponsesRequest, requestFields } from "#src/domain/request/ResponsesRequest"

const accept = (body: unknown, options?: PresetConfig.DecodeOptions): PresetConfig.Kept => {
  const outcome = PresetConfig.decode(body, options)
  assert.isTrue(Result.isSuccess(outcome), Result.isFailure(outcome) ? outcome.failure.message : "")
  return Result.getOrThrow(outcome)
}

const namesOf = (fate: PresetConfig.Fate): ReadonlyArray<string> =>
  Object.entries<PresetConfig.Field>(PresetConfig.fields)
    .filter(([, field]) => field.fate === fate)
    .map(([name]) => name)

const parse = (text: string): Schema.JsonObject => JSON.parse(text)

describe("the table of fields", () => {
  it("names every field of the schema, and messages", () =>
    assert.sameMembers(Object.keys(PresetConfig.fields), [
      ...Object.keys(requestFields),
      "messages"
    ]))

  it("keeps what the decision lists", () =>
    assert.sameMembers(
      [...namesOf("kept")],
      (
        "model models provider plugins route temperature top_p top_k top_logprobs " +
        "frequency_penalty " +
        "presence_penalty max_output_tokens max_tool_calls reasoning text tools tool_choice " +
        "parallel_tool_calls stop_server_tools_when modalities image_config include service_tier " +
        "truncation cache_control prompt_cache_options prompt_cache_retention context_management"
      ).split(" ")
    ))

  it("makes the system prompt of the instructions, else of the first items of the input", () => {
    assert.deepStrictEqual(namesOf("systemPrompt"), ["input", "instructions"])
    const input = [
      { role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
      { role: "user", content: "Hi" },
      { role: "system", content: "Later." }
    ]
    assert.strictEqual(accept({ input }).systemPrompt, "Be brief.")
    assert.strictEqual(accept({ input, instructions: null }).systemPrompt, "Be brief.")
    assert.strictEqual(accept({ input, instructions: "" }).systemPrompt, "")
    assert.deepStrictEqual(accept({ input }).notKept, ["input"])
    const [prompt = {}] = input
    assert.deepStrictEqual(accept({ input: [prompt] }).notKept, [])
    assert.deepStrictEqual(accept({ input: [prompt], instructions: "" }).notKept, ["input"])
  })

  it("gives a reason for every field", () => {
    for (const { reason } of Object.values(PresetConfig.fields)) assert.isNotEmpty(reason)
  })

  it("can be another one", () => {
    const table = {
      ...PresetConfig.fields,
      user: { fate: "kept", reason: "the host says so" }
    } satisfies PresetConfig.FieldTable
    assert.deepStrictEqual(accept({ user: "u", stream: true }, { table }), {
      systemPrompt: null,
      config: { user: "u" },
      notKept: ["stream"]
    })
  })
})

describe("a request", () => {
  it("becomes system prompt, configuration and a list of what is ignored", () =>
    assert.deepStrictEqual(
      accept({ stream: true, model: "m", instructions: "Be brief.", temperature: 0.5, later: {} }),
      {
        systemPrompt: "Be brief.",
        config: { model: "m", temperature: 0.5 },
        notKept: ["stream", "later"]
      }
    ))

  it("keeps nothing of a null", () =>
    assert.deepStrictEqual(accept({ instructions: null, temperature: null, provider: null }), {
      systemPrompt: null,
      config: {},
      notKept: []
    }))

  it("keeps unknown properties and nulls inside a kept field", () => {
    const reasoning = { effort: null, later: [{ any: null }] }
    const tools = [{ type: "web_search", parameters: { deep: { deeper: null } }, later: 1 }]
    assert.deepStrictEqual(accept({ reasoning, tools }).config, { reasoning, tools })
  })

  it("holds prototypes as data", () => {
    const body = parse(
      '{"__proto__":{"polluted":1},"constructor":1,"toString":2,' +
        '"text":{"__proto__":{"polluted":1}},"image_config":{"__proto__":"data"}}'
    )
    const { config, notKept } = accept(body)
    assert.deepStrictEqual(notKept, ["__proto__", "constructor", "toString"])
    assert.strictEqual(
      JSON.stringify(config),
      '{"text":{"__proto__":{"polluted":1}},"image_config":{"__proto__":"data"}}'
    )
    assert.isUndefined(({} as Record<string, unknown>).polluted)
    assert.strictEqual(Object.getPrototypeOf(config), Object.prototype)
  })

  it("refuses a prototype among the provider preferences", () => {
    const outcome = PresetConfig.decode(parse('{"provider":{"__proto__":{"sort":"price"}}}'))
    assert.strictEqual(
      Result.isFailure(outcome) && outcome.failure.message,
      "Invalid request parameters: provider.__proto__: unknown property"
    )
  })

  it("holds the header to the limit of the session unless the body has one", () => {
    const sessionIdHeader = "s".repeat(257)
    const outcome = PresetConfig.decode({ user: 1 }, { sessionIdHeader })
    assert.strictEqual(
      Result.isFailure(outcome) && outcome.failure.message,
      "Invalid request parameters: user: must be a string; x-session-id: at most 256 characters"
    )
    assert.deepStrictEqual(accept({ session_id: "s" }, { sessionIdHeader }).notKept, ["session_id"])
    assert.deepStrictEqual(accept({}, { sessionIdHeader: "s".repeat(256) }).notKept, [])
  })
})

/** What a generated body looks like after a round trip through JSON that holds storable text. */
const travelled = (body: unknown): Schema.JsonObject =>
  parse(JSON.stringify(body).replace(/\\u0000|\\ud[89a-f][0-9a-f]{2}/g, "x"))

describe("any body of the schema", () => {
  const bodies = Arbitrary.schema(ResponsesRequest)

  it.prop(
    "keeps the kept fields as sent and nothing else",
    [bodies],
    ([generated]) => {
      const body = travelled(generated)
      const { config, notKept, systemPrompt } = accept(body)
      const kept = Object.entries(body).filter(
        ([name, value]) => namesOf("kept").includes(name) && value !== null
      )
      assert.deepStrictEqual(Object.entries(config), kept)
      assert.strictEqual(systemPrompt, body.instructions ?? null)
      for (const name of notKept) assert.isFalse(Object.hasOwn(config, name))
    },
    { arbitrary: { runs: 100, size: 12 } }
  )

  it.prop(
    "gives a configuration that decodes to itself",
    [bodies],
    ([generated]) => {
      const { config } = accept(travelled(generated))
      const decoded = Schema.decodeUnknownResult(PresetConfig.PresetConfig)(config)
      assert.deepStrictEqual(Result.getOrThrow(decoded), config)
    },
    { arbitrary: { runs: 50, size: 12 } }
  )
})
