import { assert, describe, it } from "@effect/vitest"
import { canonical, jsonObject } from "@verbatim/testkit/samples"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import type { Format } from "#src/Format"
import { resolve, type Version } from "#src/Resolution"

const ofPreset = { from: "preset", version: 3 } as const
const ofRequest = { from: "request" } as const

const versionOf = (config: Schema.JsonObject, systemPrompt: string | null = null): Version => ({
  version: 3,
  format: "responses",
  systemPrompt,
  config
})

const resolved = (config: Schema.JsonObject, request: Schema.JsonObject) =>
  resolve(versionOf(config), request, "responses")

const call = (name: string, more: Schema.JsonObject = {}) => ({ type: "function", name, ...more })

describe("a request with a preset", () => {
  it("gets all of the preset's fields that it does not set itself", () => {
    const { fields, request } = resolved(
      { model: "a", temperature: 0.1, provider: { sort: "price", zdr: true } },
      { input: "hello", temperature: 0.9, provider: { sort: "latency" } }
    )
    // The merge is shallow: an object in the request replaces the preset's object.
    assert.deepStrictEqual(request, {
      model: "a",
      temperature: 0.9,
      provider: { sort: "latency" },
      input: "hello"
    })
    assert.deepStrictEqual(
      [...fields],
      [
        ["model", ofPreset],
        ["temperature", ofRequest],
        ["provider", ofRequest],
        ["input", ofRequest]
      ]
    )
  })

  it("gets the preset's system prompt as instructions unless it has its own", () => {
    const version = versionOf({}, "Be brief.")
    assert.deepStrictEqual(resolve(version, {}).request, { instructions: "Be brief." })
    assert.deepStrictEqual(resolve(version, {}).fields.get("instructions"), ofPreset)
    assert.deepStrictEqual(resolve(version, { instructions: "Sing." }).request, {
      instructions: "Sing."
    })
    assert.deepStrictEqual(resolve(versionOf({}), {}).request, {})
  })

  it("replaces the preset's value if it sets a field to null, the provider's default", () => {
    const { fields, request } = resolved(
      { temperature: 0.1, tools: [call("a")] },
      {
        temperature: null,
        tools: null
      }
    )
    assert.deepStrictEqual(request, { temperature: null, tools: null })
    assert.deepStrictEqual(fields.get("tools"), ofRequest)
  })

  it("replaces preset tools that have the same names, and appends its other tools", () => {
    const { fields, request, tools } = resolved(
      { tools: [call("a"), { type: "web_search" }, call("b")] },
      { tools: [call("c"), { type: "web_search", engine: "exa" }, call("a", { strict: true })] }
    )
    assert.deepStrictEqual(request.tools, [
      call("a", { strict: true }),
      { type: "web_search", engine: "exa" },
      call("b"),
      call("c")
    ])
    assert.deepStrictEqual(tools, [ofRequest, ofRequest, ofPreset, ofRequest])
    assert.deepStrictEqual(fields.get("tools"), ofRequest)
  })

  it("adds tokens to the preset's MCP servers without repeating their other members", () => {
    const server = { type: "mcp", server_label: "m", server_url: "https://x.test" }
    const tool = { type: "mcp", server_label: "m", authorization: "secret" }
    const { request } = resolved({ tools: [server] }, { tools: [tool] })
    assert.deepStrictEqual(request.tools, [{ ...server, authorization: "secret" }])

    const named = { type: "url", name: "m", url: "https://x.test" }
    const over = resolve(
      { version: 3, format: "messages", systemPrompt: null, config: { mcp_servers: [named] } },
      { mcp_servers: [{ name: "m", authorization_token: "t" }, { name: "n" }], messages: [] },
      "messages"
    )
    assert.deepStrictEqual(over.request.mcp_servers, [
      { ...named, authorization_token: "t" },
      { name: "n" }
    ])
  })

  for (const [title, named] of [
    ["MCP servers by their labels", (name: Schema.Json) => ({ type: "mcp", server_label: name })],
    ["advisors by their names", (name: Schema.Json) => ({ type: "advisor", parameters: { name } })]
  ] as const) {
    it(`merges ${title}`, () => {
      const of = (name: string, side: string) => ({ ...named(name), side })
      const preset = { tools: [of("a", "preset"), call("x"), of("b", "preset")] }
      const requested = { tools: [of("c", "request"), of("b", "request")] }
      const { request, tools } = resolved(preset, requested)
      assert.deepStrictEqual(request.tools, [
        of("a", "preset"),
        call("x"),
        of("b", "request"),
        of("c", "request")
      ])
      assert.deepStrictEqual(tools, [ofPreset, ofPreset, ofRequest, ofRequest])
    })
  }

  it("keeps two tools separate if their types differ or only one of them has a name", () => {
    const all = [
      { type: "mcp", server_label: "a" },
      { type: "mcp" },
      { type: "advisor", parameters: { name: "a" } },
      { type: "sub_agent", parameters: { name: "a" } },
      { type: "advisor", parameters: null },
      call("a")
    ]
    for (const tool of all) {
      const others = all.filter((other) => other !== tool)
      const { request } = resolved({ tools: others }, { tools: [tool] })
      assert.deepStrictEqual(request.tools, [...others, tool])
    }
  })

  it("reports all lost members, even if a configuration loses 200,000 of them", () => {
    // Passing 200,000 losses as arguments of one call would overflow the stack.
    const count = 200_000
    const many = Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]))
    const over = (config: Schema.JsonObject, from: Version["format"], to: Format) =>
      resolve({ ...versionOf(config), format: from }, {}, to).leftOut.length
    assert.strictEqual(
      over({ thinking: { ...many, type: "disabled" } }, "messages", "responses"),
      count
    )
    assert.strictEqual(over({ reasoning: many }, "responses", "messages"), count)
    assert.strictEqual(over({ reasoning: many }, "responses", "chatCompletions"), count)
    assert.strictEqual(over({ text: many }, "responses", "chatCompletions"), count)
    const tools = Array.from({ length: count }, () => ({ type: "search" }))
    assert.strictEqual(over({ tools }, "responses", "messages"), count)
  })

  it("keeps invalid tools unchanged", () => {
    const odd = [1, "a", null, [], {}, { type: "function", name: { toString: 1 } }]
    assert.deepStrictEqual(resolved({ tools: odd }, { tools: [1] }).request.tools, odd)
    assert.deepStrictEqual(resolved({ tools: odd }, { tools: "x" }).request.tools, "x")
  })

  it("keeps __proto__ as an ordinary property", () => {
    const hostile = Object.fromEntries([["__proto__", { polluted: true }]])
    for (const [config, request] of [
      [hostile, {}],
      [{}, hostile]
    ] as const) {
      const { fields, request: whole } = resolved(config, request)
      assert.strictEqual(JSON.stringify(whole), '{"__proto__":{"polluted":true}}')
      assert.isTrue(fields.has("__proto__"))
      assert.strictEqual(Object.getPrototypeOf(whole), Object.prototype)
      assert.isFalse("polluted" in {})
    }
  })

  it.prop(
    "gets each field from the request or the preset, and reports the field's origin",
    [jsonObject, jsonObject],
    ([config, sent]) => {
      const { fields, request } = resolved(config, sent)
      assert.sameMembers(Object.keys(request), [
        ...new Set([...Object.keys(config), ...Object.keys(sent)])
      ])
      assert.sameMembers([...fields.keys()], Object.keys(request))
      for (const [name, value] of Object.entries(request)) {
        const isSent = Object.hasOwn(sent, name)
        assert.deepStrictEqual(fields.get(name), isSent ? ofRequest : ofPreset)
        if (name === "tools") continue
        const entry = Object.entries(isSent ? sent : config).find(([key]) => key === name)
        assert.strictEqual(canonical(value), canonical(entry?.[1] ?? null))
      }
    }
  )

  it.prop(
    "keeps its own tools, and adds the preset's tools that have other names",
    [tools("preset"), tools("request")],
    ([kept, sent]) => {
      const { request, tools: from } = resolved({ tools: kept }, { tools: sent })
      const merged = request.tools as ReadonlyArray<Tool>
      assert.strictEqual(from.length, merged.length)
      const names = new Set(sent.map(({ name }) => name))
      const lasting = kept.filter(({ name }) => !names.has(name))
      assert.deepStrictEqual(
        merged.filter((_, index) => from[index]?.from === "preset"),
        lasting
      )
      const requested = merged.filter((_, index) => from[index]?.from === "request")
      assert.sameDeepMembers([...requested], [...sent])
      for (const name of names) {
        const ofName = (all: ReadonlyArray<Tool>) => all.filter((tool) => tool.name === name)
        assert.deepStrictEqual(ofName(requested), ofName(sent))
      }
    }
  )
})

interface Tool extends Schema.JsonObject {
  readonly type: "function"
  readonly name: string
  readonly side: string
  readonly place: number
}

function tools(side: string): Arbitrary.Arbitrary<ReadonlyArray<Tool>> {
  const name = Arbitrary.schema(Schema.Literals(["a", "b", "c", "d"]))
  return Arbitrary.map(Arbitrary.array(name, { maxLength: 5 }), (names) =>
    names.map((each, place) => ({ type: "function", name: each, side, place }) as const)
  )
}
