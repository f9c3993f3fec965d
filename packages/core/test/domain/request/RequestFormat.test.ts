import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Arbitrary, Result, Schema } from "effect"
import { ChatCompletionsRequest } from "#src/domain/request/ChatCompletionsRequest"
import { MessagesRequest } from "#src/domain/request/MessagesRequest"
import {
  chatCompletions,
  decode,
  joinTexts,
  messages,
  type RequestFormat,
  responses,
  type SortedRequest,
  textsOf
} from "#src/domain/request/RequestFormat"
import { ResponsesRequest, requestFields } from "#src/domain/request/ResponsesRequest"
import {
  chatCompletions as chatRows,
  messages as messagesRows
} from "./boundaries/OtherBoundaries.ts"
import { boundaries } from "./boundaries/ResponsesBoundaries.ts"

const messageOf = (format: RequestFormat, body: unknown): string => {
  const outcome = decode(format, { body })
  return Result.isFailure(outcome) ? outcome.failure.message : "accepted"
}

const accept = (format: RequestFormat, body: unknown): SortedRequest => {
  assert.strictEqual(messageOf(format, body), "accepted")
  return Result.getOrThrow(decode(format, { body }))
}

const keptBy = ({ fields }: RequestFormat): ReadonlyArray<string> =>
  Object.keys(fields).filter((name) => fields[name]?.fate === "kept")

/** Turns a generated body into JSON with storable text, like a body that was received. */
const travelled = (body: unknown): Schema.JsonObject =>
  JSON.parse(JSON.stringify(body).replace(/\\u0000|\\ud[89a-f][0-9a-f]{2}/g, "x"))

const withMessages = (body: Schema.JsonObject): Schema.JsonObject => ({ messages: [], ...body })

/** The formats, with their schemas and the boundary cases of their rules. */
const cases = [
  { format: responses, schema: ResponsesRequest, rows: boundaries },
  { format: chatCompletions, schema: ChatCompletionsRequest, rows: chatRows },
  { format: messages, schema: MessagesRequest, rows: messagesRows }
]

describe("the boundary cases", () => {
  it("cover every field of a Responses-style request", () => {
    const touched = new Set(boundaries.flatMap(({ refused }) => Object.keys(refused)))
    assert.sameMembers([...touched], Object.keys(requestFields))
  })
})

/** Rules that JSON Schema cannot express. */
const unsaid = /characters in total|needs a tool_search tool|needs another tool/

/** Limits that apply to every JSON document, and are therefore not in the JSON Schema. */
const general = /must not contain NUL/

const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** Values of every type; most of them are invalid at any given path. */
const others: ReadonlyArray<Schema.Json> = [null, true, -1.5, 99, "", "x", [], ["x"], [1], {}]

const anyIndex = Arbitrary.schema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))

/** Returns the paths of all values in a body. */
const pathsIn = (value: Schema.Json): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value !== "object" || value === null
    ? [[]]
    : [
        [],
        ...Object.entries(value).flatMap(([name, each]) =>
          pathsIn(each).map((path) => [name, ...path])
        )
      ]

const replaceAt = (
  value: Schema.Json,
  [name, ...rest]: ReadonlyArray<string>,
  by: Schema.Json
): Schema.Json => {
  if (name === undefined) return by
  const entries = Object.entries(Object(value)).map(
    ([each, inner]) =>
      [each, each === name ? replaceAt(inner as Schema.Json, rest, by) : inner] as const
  )
  return Array.isArray(value)
    ? entries.map(([, inner]) => inner as Schema.Json)
    : (Object.fromEntries(entries) as Schema.JsonObject)
}

for (const { format, rows, schema } of cases) {
  const document = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  const isValid = ajv.compile({ ...document.schema, $defs: document.definitions })

  /** Returns the decoder's result, and asserts that the JSON Schema agrees with it. */
  const judge = (body: Schema.Json): string => {
    const message = messageOf(format, body)
    if (unsaid.test(message) || general.test(message)) return message
    assert.strictEqual(isValid(body), message === "accepted", `${message} ${JSON.stringify(body)}`)
    return message
  }

  describe(`every constraint on a body in the format ${format.name}`, () => {
    for (const [index, { accepted, problem, refused }] of rows.entries()) {
      it(`${index + 1}: ${problem}`, () => {
        const of = (body: Schema.JsonObject) => (format === responses ? body : withMessages(body))
        assert.strictEqual(judge(of(accepted)), "accepted")
        assert.strictEqual(judge(of(refused)), `Invalid request parameters: ${problem}`)
      })
    }

    const generated: Arbitrary.Arbitrary<unknown> = Arbitrary.schema(schema)
    it.prop(
      "is also in the JSON Schema",
      [generated, anyIndex, anyIndex],
      ([body, at, other]) => {
        const sent = travelled(body)
        const paths = pathsIn(sent)
        judge(sent)
        judge(
          replaceAt(sent, paths[at % paths.length] ?? [], others[other % others.length] ?? null)
        )
      },
      { arbitrary: { runs: 300, size: 10 } }
    )
  })
}

describe("a request format", () => {
  it("ignores the fields of other formats", () => {
    assert.deepStrictEqual(
      accept(chatCompletions, {
        messages: [],
        system: 1,
        previous_response_id: "resp_1",
        instructions: 1,
        text: "",
        max_output_tokens: "1"
      }),
      {
        systemPrompt: null,
        config: {},
        notKept: ["system", "previous_response_id", "instructions", "text", "max_output_tokens"]
      }
    )
    assert.deepStrictEqual(accept(messages, { messages: [], stop: 1, seed: "" }).notKept, [
      "stop",
      "seed"
    ])
  })

  it("limits the session header to 256 characters", () => {
    for (const format of [responses, chatCompletions, messages]) {
      const outcome = decode(format, { body: withMessages({}), sessionIdHeader: "s".repeat(257) })
      assert.strictEqual(
        Result.isFailure(outcome) && outcome.failure.message,
        "Invalid request parameters: x-session-id: at most 256 characters"
      )
    }
  })

  it("reports a system message with other content than text", () => {
    const text = { type: "input_text", text: "Be brief." }
    const image = { type: "input_image", image_url: "https://a.test/b.png" }
    for (const { content, notKept } of [
      { content: [text], notKept: [] },
      { content: [text, image], notKept: ["input"] }
    ]) {
      const body = { input: [{ role: "system", content }] }
      assert.deepStrictEqual(accept(responses, body), {
        systemPrompt: "Be brief.",
        config: {},
        notKept
      })
    }
  })
})

/** Copies a request without the tokens of its MCP servers. */
const withoutTokens = (value: Schema.Json): Schema.Json =>
  JSON.parse(
    JSON.stringify(value, (name, member) =>
      name === "authorization_token" && member !== null ? undefined : member
    )
  )

const keepsAsSent = (format: RequestFormat, body: Schema.JsonObject): void => {
  const { config, notKept, systemPrompt } = accept(format, body)
  const kept = keptBy(format)
  const { system, ...others } = config
  assert.deepStrictEqual(
    Object.entries(others),
    Object.entries(body)
      .filter(([name, value]) => kept.includes(name) && value !== null)
      .map(([name, value]) => [name, name === "mcp_servers" ? withoutTokens(value) : value])
  )
  if (system !== undefined) assert.strictEqual(joinTexts(textsOf(system)), systemPrompt)
  for (const name of notKept) assert.isFalse(Object.hasOwn(config, name))
}

describe("a Responses-style request", () => {
  const parse = (text: string): Schema.JsonObject => JSON.parse(text)

  it("takes its system prompt from the instructions or else from the first input items", () => {
    const prompt = { role: "developer", content: [{ type: "input_text", text: "Be brief." }] }
    const input = [prompt, { role: "user", content: "Hi" }, { role: "system", content: "Later." }]
    const rows = [
      { body: { input }, systemPrompt: "Be brief.", notKept: ["input"] },
      { body: { input, instructions: null }, systemPrompt: "Be brief.", notKept: ["input"] },
      { body: { input, instructions: "" }, systemPrompt: "", notKept: ["input"] },
      { body: { input: [prompt] }, systemPrompt: "Be brief.", notKept: [] },
      { body: { input: [prompt], instructions: "" }, systemPrompt: "", notKept: ["input"] }
    ]
    for (const { body, notKept, systemPrompt } of rows) {
      assert.deepStrictEqual(accept(responses, body), { systemPrompt, config: {}, notKept })
    }
  })

  it("treats the key __proto__ as data, and refuses it in the provider preferences", () => {
    const text = '{"__proto__":{"polluted":1},"constructor":1,"text":{"__proto__":{"polluted":1}}}'
    const { config, notKept } = accept(responses, parse(text))
    assert.deepStrictEqual(notKept, ["__proto__", "constructor"])
    assert.strictEqual(JSON.stringify(config), '{"text":{"__proto__":{"polluted":1}}}')
    assert.isUndefined(({} as Record<string, unknown>).polluted)
    assert.strictEqual(
      messageOf(responses, parse('{"provider":{"__proto__":{"sort":"price"}}}')),
      "Invalid request parameters: provider.__proto__: unknown property"
    )
  })

  it("ignores the session header if the body names a session", () => {
    const body = { session_id: "s" }
    const outcome = decode(responses, { body, sessionIdHeader: "s".repeat(257) })
    assert.deepStrictEqual(Result.getOrThrow(outcome).notKept, ["session_id"])
  })
})

describe("a system prompt in blocks", () => {
  const cached = { type: "text", text: "A", cache_control: { type: "ephemeral" } }
  const plain = { type: "text", text: "B" }

  it("is also kept as blocks if a block has more than text", () => {
    const system = [cached, plain]
    const { config, systemPrompt } = accept(messages, { messages: [], system })
    assert.deepStrictEqual({ config, systemPrompt }, { config: { system }, systemPrompt: "A\n\nB" })
    const chat = {
      messages: [
        { role: "system", content: [cached] },
        { role: "system", content: "B" }
      ]
    }
    assert.deepStrictEqual(accept(chatCompletions, chat).config, { system })
  })

  it("is kept only as text if every block has only text", () => {
    const { config, systemPrompt } = accept(messages, { messages: [], system: [plain, plain] })
    assert.deepStrictEqual({ config, systemPrompt }, { config: {}, systemPrompt: "B\n\nB" })
  })
})

describe("the secrets of MCP servers", () => {
  it("are left out of a preset and reported", () => {
    const server = { name: "m", url: "https://x.test" }
    const kept = accept(messages, {
      messages: [],
      mcp_servers: [{ ...server, authorization_token: "secret" }]
    })
    assert.deepStrictEqual(kept.config, { mcp_servers: [server] })
    assert.deepStrictEqual(kept.notKept, ["mcp_servers.0.authorization_token"])
    const tool = { type: "mcp", server_label: "m", headers: { "X-Id": "1" } }
    const headers = { Authorization: "Bearer secret", "X-Id": "1" }
    const sent = accept(responses, { tools: [{ ...tool, authorization: "secret", headers }] })
    assert.deepStrictEqual(sent.config, { tools: [tool] })
    assert.deepStrictEqual(sent.notKept, ["tools.0.authorization", "tools.0.headers.Authorization"])
  })
})

describe("a request body", () => {
  for (const { format, schema } of cases) {
    const generated: Arbitrary.Arbitrary<unknown> = Arbitrary.schema(schema)
    it.prop(
      `is reduced to exactly the fields that ${format.name} keeps, unchanged`,
      [generated],
      ([body]) => keepsAsSent(format, travelled(body)),
      { arbitrary: { runs: 50, size: 10 } }
    )
  }
})
