/**
 * Tests that a preset and a request, both valid at their endpoints, never combine into a request
 * that an endpoint rejects.
 */
import { assert, describe, it } from "@effect/vitest"
import { canonical } from "@verbatim/testkit/samples"
import { type Format, formats, type JsonObject, resolve } from "#src/index"
import { brokenBy } from "./endpoints/brokenBy.ts"
import { configOf, requestOf } from "./generated.ts"

const pairs = formats.flatMap((from) => formats.map((to) => [from, to] as const))

const over = (from: Format, config: JsonObject, to: Format, request: JsonObject) =>
  resolve({ version: 1, format: from, systemPrompt: null, config }, request, to)

/** Groups of fields that set the same limit. A request can use only one field of each group. */
const limits = new Set(["max_tokens", "max_completion_tokens"])

describe("a valid preset and a valid request", () => {
  for (const [from, to] of pairs) {
    it.prop(
      `resolve to a request that the endpoint accepts (${from} preset, ${to} request)`,
      [configOf(from), requestOf(to)],
      ([config, request]) => {
        const resolved = over(from, config, to, request)
        assert.deepStrictEqual(brokenBy(to, resolved.request), [], JSON.stringify(resolved))
      },
      { arbitrary: { runs: 300 } }
    )

    it.prop(
      `keep the request's own fields unchanged (${from} preset, ${to} request)`,
      [configOf(from), requestOf(to)],
      ([config, request]) => {
        const { fields, request: made } = over(from, config, to, request)
        assert.sameMembers([...fields.keys()], Object.keys(made))
        for (const [name, value] of Object.entries(request)) {
          if (name === "tools") continue
          assert.strictEqual(canonical(made[name] ?? null), canonical(value), name)
        }
      }
    )
  }

  for (const format of formats) {
    it.prop(
      `report every change if both have the format ${format}`,
      [configOf(format), requestOf(format)],
      ([config, request]) => {
        const { leftOut, request: made } = over(format, config, format, request)
        const named = new Set(leftOut.map(({ field }) => field))
        for (const [name, value] of Object.entries(config)) {
          if (Object.hasOwn(request, name) || limits.has(name) || named.has(name)) continue
          assert.strictEqual(canonical(made[name] ?? null), canonical(value), name)
        }
      }
    )
  }
})

describe("the generated presets", () => {
  for (const format of formats) {
    it.prop(`are valid at their endpoint in ${format}`, [configOf(format)], ([one]) => {
      assert.deepStrictEqual(brokenBy(format, one), [])
    })
  }
})
