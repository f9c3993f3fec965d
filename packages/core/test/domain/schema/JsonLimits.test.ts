import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import {
  depthMax,
  findBrokenLimit,
  keysMax,
  measure,
  valuesMax
} from "#src/domain/schema/DocumentValidator"
import { parse } from "#src/domain/schema/ExactNumber"
import { toProblems } from "#src/domain/schema/Problem"

const nested = (depth: number): unknown => {
  let value: unknown = {}
  for (let level = 1; level < depth; level += 1) value = level % 2 === 0 ? { a: value } : [value]
  return value
}

const keys = (count: number): unknown =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]))

const ruleOf = (document: unknown): string => {
  const [first] = toProblems(measure(document).found)
  return first === undefined ? "fits" : `${first.path}: ${first.rule}`
}

const text = "must not contain NUL or a lone surrogate"

const rows: ReadonlyArray<readonly [title: string, document: unknown, rule: string]> = [
  ["64 levels", nested(depthMax), "fits"],
  ["20,000 keys", keys(keysMax), "fits"],
  ["20,001 keys", keys(keysMax + 1), ": at most 20000 keys in the whole document"],
  [
    "20,001 keys in two objects",
    [keys(10_000), keys(10_001)],
    "[1]: at most 20000 keys in the whole document"
  ],
  ["a pair of surrogates", { a: "😀" }, "fits"],
  ["a lone surrogate", { a: ["", "\ud83d"] }, `a[1]: ${text}`],
  ["NUL", { a: { b: "\0" } }, `a.b: ${text}`],
  ["NUL in a key", { "a\0": 1 }, `["a\\u0000"]: ${text}`],
  ["a number that is not finite", JSON.parse('{"a":1e400}'), "a: must be a finite number"],
  ["NaN", { a: Number.NaN }, "a: must be a finite number"],
  ["undefined", { a: undefined }, "a: must be JSON"],
  ["a function", [() => 0], "[0]: must be JSON"],
  ["a date", { a: new Date(0) }, "a: must be JSON"],
  ["the key __proto__", JSON.parse('{"__proto__":{"a":[]}}'), "fits"]
]

describe("the limits on a JSON document", () => {
  for (const [title, document, rule] of rows) {
    it(`${rule === "fits" ? "allow" : "are broken by"} ${title}`, () =>
      assert.strictEqual(ruleOf(document), rule))
  }

  it("are exceeded by 65 levels", () =>
    assert.match(ruleOf(nested(depthMax + 1)), /: at most 64 levels of nesting$/))

  it("count a number in its original notation as one value", () => {
    const exact = (count: number) =>
      Option.getOrThrow(parse(`[${Array(count).fill("9223372036854775807").join(",")}]`))
    const { found, hasExact, values } = measure(exact(valuesMax - 1))
    assert.deepStrictEqual([found, hasExact, values], [[], true, valuesMax])
    assert.match(ruleOf(exact(valuesMax)), /: at most 100000 values in the whole document$/)
  })

  it("end the check when the whole document exceeds a limit", () => {
    const { found, isWhole } = measure({ a: "\0", b: keys(keysMax), c: "\0" })
    assert.deepStrictEqual(
      toProblems(found).map(({ path }) => path),
      ["a", "b"]
    )
    assert.isFalse(isWhole)
  })

  it("report at most ten problems, even though the check continues", () => {
    const document = { a: ["\0", Number.NaN, 1], "b\0": "\ud800", c: new Date(0) }
    const { found, isWhole } = measure(document)
    assert.deepStrictEqual(toProblems(found), [
      { path: "a[0]", rule: text },
      { path: "a[1]", rule: "must be a finite number" },
      { path: '["b\\u0000"]', rule: text },
      { path: '["b\\u0000"]', rule: text },
      { path: "c", rule: "must be JSON" }
    ])
    assert.isTrue(isWhole)
    assert.strictEqual(measure(Array.from({ length: 11 }, () => "\0")).found.length, 10)
  })
})

/** For each limit, the largest document that fits and a larger one. */
const edges: ReadonlyArray<readonly [title: string, fits: unknown, breaks: unknown]> = [
  ["levels", nested(depthMax), nested(depthMax + 1)],
  ["keys", keys(keysMax), keys(keysMax + 1)],
  ["values", Array(valuesMax - 1).fill(0), Array(valuesMax + 1).fill(0)]
]

describe("the limits on unparsed JSON", () => {
  for (const [title, fits, breaks] of edges) {
    it(`equal the limits on the parsed document: ${title}`, () => {
      assert.strictEqual(findBrokenLimit(JSON.stringify(fits)), undefined)
      const [found] = measure(breaks).found
      assert.strictEqual(findBrokenLimit(JSON.stringify(breaks)), found?.rule)
    })
  }

  it("ignore brackets and commas inside strings", () =>
    assert.strictEqual(
      findBrokenLimit(JSON.stringify(["[{:,".repeat(valuesMax), '\\"'])),
      undefined
    ))
})
