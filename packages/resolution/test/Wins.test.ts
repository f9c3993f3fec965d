/**
 * Tests that fields that a version lists in `wins` replace the request's fields, and that nothing
 * else changes.
 */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { type Format, formats, type JsonObject, resolve } from "#src/index"
import { without } from "#src/Json"
import { brokenBy } from "./endpoints/brokenBy.ts"
import { configOf, requestOf } from "./generated.ts"

const pairs = formats.flatMap((from) => formats.map((to) => [from, to] as const))

const reason = "the preset wins over the request"

/** Picks the fields of a configuration that the bits of a mask select. */
const someOf = (config: JsonObject, mask: number) =>
  Object.keys(config).filter((_, place) => ((mask >> (place % 8)) & 1) === 1)

const synonyms = [
  ["max_tokens", "max_completion_tokens"],
  ["reasoning", "reasoning_effort"]
]

const sameNames = (name: string) => synonyms.find((names) => names.includes(name)) ?? [name]

const anyMask = Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })))

interface Given {
  readonly config: JsonObject
  readonly from: Format
  readonly request: JsonObject
  readonly to: Format
  readonly wins?: ReadonlyArray<string>
}

const over = ({ config, from, request, to, wins = [] }: Given) =>
  resolve({ version: 1, format: from, systemPrompt: null, config, wins }, request, to)

describe("a version with fields in wins", () => {
  for (const [from, to] of pairs) {
    it.prop(
      `resolves a ${to} request as if the request lacked the fields in wins (${from} version)`,
      [configOf(from), requestOf(to), anyMask],
      ([config, request, mask]) => {
        const wins = someOf(config, mask)
        const { leftOut, ...made } = over({ config, from, request, to, wins })
        const beaten = leftOut.filter((each) => each.reason === reason).map(({ field }) => field)
        const rest = without(request, beaten)
        const { leftOut: lost, ...bare } = over({ config, from, request: rest, to })
        assert.deepStrictEqual(made, bare)
        assert.sameDeepMembers(
          leftOut.filter((each) => each.reason !== reason),
          [...lost]
        )
        const mended = leftOut.filter((each) => /\): (left out|changed|now )/.test(each.reason))
        for (const name of mended.length === 0 ? beaten : []) {
          // A tool choice that named a dropped tool is dropped without a replacement.
          const namesDroppedTool = !wins.includes(name) || beaten.includes("tools")
          if (name === "tool_choice" && namesDroppedTool) continue
          const isWritten = sameNames(name).some((each) => made.fields.get(each)?.from === "preset")
          assert.isTrue(isWritten, `${name} is gone`)
        }
      }
    )
  }

  for (const format of formats) {
    it.prop(
      `writes each field in wins in ${format}, or reports why the field is left out`,
      [configOf(format), requestOf(format), anyMask],
      ([config, request, mask]) => {
        const wins = someOf(config, mask)
        const {
          fields,
          leftOut,
          request: made
        } = over({
          ...{ config, from: format, request, to: format, wins }
        })
        const mended = leftOut.filter((each) => each.reason !== reason).map(({ field }) => field)
        for (const name of wins.filter((each) => !mended.includes(each))) {
          assert.deepStrictEqual(made[name], config[name])
          assert.deepStrictEqual(fields.get(name), { from: "preset", version: 1 })
        }
        for (const [name, value] of Object.entries(request)) {
          if (name === "tools" || leftOut.some((each) => each.field === name)) continue
          assert.deepStrictEqual(made[name], value)
        }
      }
    )

    it.prop(
      `never causes a ${format} endpoint to reject a request with a client's default fields`,
      [configOf(format), requestOf(format)],
      ([config, request]) => {
        const wins = ["service_tier", "temperature", "tools", "top_p"]
        const { request: made } = over({ config, from: format, request, to: format, wins })
        assert.deepStrictEqual(brokenBy(format, made), [])
      }
    )
  }

  it("replaces a field under its name in the request's format", () => {
    const version = {
      ...{ version: 3, format: "responses" as const, systemPrompt: null },
      config: { max_output_tokens: 500, reasoning: { effort: "low" }, temperature: 0.2 },
      wins: ["max_output_tokens", "reasoning"]
    }
    const request = { max_tokens: 9, reasoning_effort: "high", temperature: 1, messages: [] }
    const { leftOut, request: made } = resolve(version, request, "chatCompletions")
    assert.deepStrictEqual(made, {
      max_completion_tokens: 500,
      reasoning_effort: "low",
      temperature: 1,
      messages: []
    })
    assert.sameDeepMembers(
      [...leftOut],
      [
        { field: "max_tokens", reason },
        { field: "reasoning_effort", reason }
      ]
    )
  })

  it("can replace the model, which determines whether the request is for a gateway", () => {
    const config = { model: "openai/gpt", presence_penalty: 1 }
    const given = { config, from: "chatCompletions", to: "responses" } as const
    const request = { model: "gpt-4o", input: "Hi" }
    assert.deepStrictEqual(over({ ...given, request, wins: ["model"] }).request, {
      ...config,
      input: "Hi"
    })
    assert.notProperty(over({ ...given, request }).request, "presence_penalty")
  })

  const schema = { type: "object" }
  const calls: Readonly<Record<Format, (name: string) => JsonObject>> = {
    responses: (name) => ({ type: "function", name, parameters: null, strict: null }),
    chatCompletions: (name) => ({ type: "function", function: { name } }),
    messages: (name) => ({ name, input_schema: schema })
  }
  const choices: Readonly<Record<Format, (name: string) => JsonObject>> = {
    responses: (name) => ({ type: "function", name }),
    chatCompletions: (name) => ({ type: "function", function: { name } }),
    messages: (name) => ({ type: "tool", name })
  }
  for (const format of formats) {
    it(`drops a tool choice in ${format} if the chosen tool is dropped`, () => {
      const [call, choice] = [calls[format], choices[format]]
      const config = { tools: [call("a")] }
      const resolved = (name: string, kept: JsonObject = {}) =>
        over({
          ...{ from: format, to: format, wins: ["tools"], config: { ...config, ...kept } },
          request: { tools: ["a", "b"].map(call), tool_choice: choice(name) }
        })
      const tools = { field: "tools", reason }
      const gone = resolved("b")
      assert.deepStrictEqual(gone.request, config)
      assert.deepStrictEqual(gone.leftOut, [tools, { field: "tool_choice", reason }])
      const there = resolved("a")
      assert.deepStrictEqual(there.request.tool_choice, choice("a"))
      assert.deepStrictEqual(there.leftOut, [tools])
      const kept = { tool_choice: choice("a") }
      assert.deepStrictEqual(resolved("b", kept).request, { ...config, ...kept })
    })
  }
})
