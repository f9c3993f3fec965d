import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { depthMax, keysMax, measure } from "#src/domain/schema/JsonLimits"

const nested = (depth: number): unknown => {
  let value: unknown = {}
  for (let level = 1; level < depth; level += 1) value = level % 2 === 0 ? { a: value } : [value]
  return value
}

const keys = (count: number): unknown =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]))

const ruleOf = (document: unknown): string => {
  const outcome = measure(document)
  return Result.isFailure(outcome) ? `${outcome.failure.path}: ${outcome.failure.rule}` : "fits"
}

const text = "must not contain NUL or a lone surrogate"

const rows: ReadonlyArray<readonly [title: string, document: unknown, rule: string]> = [
  ["64 levels", nested(depthMax), "fits"],
  ["10,000 keys", keys(keysMax), "fits"],
  ["10,001 keys", keys(keysMax + 1), ": at most 10000 keys in the whole document"],
  [
    "10,001 keys of many objects",
    [keys(5000), keys(5001)],
    "[1]: at most 10000 keys in the whole document"
  ],
  ["a pair of surrogates", { a: "😀" }, "fits"],
  ["a lone surrogate", { a: ["", "\ud83d"] }, `a[1]: ${text}`],
  ["NUL", { a: { b: "\0" } }, `a.b: ${text}`],
  ["NUL in a key", { "a\0": 1 }, `["a\\u0000"]: ${text}`],
  ["a number that is not finite", JSON.parse('{"a":1e400}'), "a: must be a finite number"],
  ["not a number", { a: Number.NaN }, "a: must be a finite number"],
  ["undefined", { a: undefined }, "a: must be JSON"],
  ["a function", [() => 0], "[0]: must be JSON"],
  ["a date", { a: new Date(0) }, "a: must be JSON"],
  ["a prototype as a key", JSON.parse('{"__proto__":{"a":[]}}'), "fits"]
]

describe("the limits of a document", () => {
  for (const [title, document, rule] of rows) {
    it(`${rule === "fits" ? "hold" : "are broken by"} ${title}`, () =>
      assert.strictEqual(ruleOf(document), rule))
  }

  it("are broken by 65 levels", () =>
    assert.match(ruleOf(nested(depthMax + 1)), /: at most 64 levels of nesting$/))

  it("are broken by 100,000 levels, at once", () =>
    assert.match(ruleOf(nested(100_000)), /: at most 64 levels of nesting$/))

  it("are broken by a cycle", () => {
    const cycle: Array<unknown> = []
    cycle.push(cycle)
    assert.match(ruleOf(cycle), /: at most 64 levels of nesting$/)
  })

  it.prop("count the values of any JSON", [Schema.Json], ([json]) => {
    const clean: unknown = JSON.parse(
      JSON.stringify(json).replace(/\\u0000|\\ud[89a-f][0-9a-f]{2}/g, "x")
    )
    const values = JSON.stringify(clean, (_, value: unknown) => value).length
    const outcome = measure(clean)
    assert.isTrue(Result.isSuccess(outcome) && outcome.success >= 1 && outcome.success <= values)
  })
})
