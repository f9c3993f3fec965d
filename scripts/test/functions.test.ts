import { assert, describe, it } from "vitest"
import { functions } from "../tidy/Functions.ts"

/** `start-end:own` of each function. */
const told = (...lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  functions(lines.join("\n")).map(({ end, own, start }) => `${start}-${end}:${own}`)

describe("functions", () => {
  it("finds each form of a function", () => {
    assert.deepStrictEqual(told("function f() {", "}"), ["1-2:2"])
    assert.deepStrictEqual(told("const f = () => {", "}"), ["1-2:2"])
    assert.deepStrictEqual(told("gen(function* () {", "})"), ["1-2:2"])
    assert.deepStrictEqual(told("class A {", "  get b(): Map<C, D> {", "  }", "}"), ["2-3:2"])
    assert.deepStrictEqual(told("function f<A>(", "  a: A", "): { b: A } {", "}"), ["1-4:4"])
    assert.deepStrictEqual(told("const f = (a: A): B =>", "  g(", "    a", "  )", "f(1)"), [
      "1-4:4"
    ])
  })

  it("takes no block, class or object for a function", () => {
    assert.deepStrictEqual(told("if (a) {", "} else {", "}"), [])
    assert.deepStrictEqual(told("for await (const a of b) {", "}"), [])
    assert.deepStrictEqual(told("class A extends B.C<D>()({ e: 1 }) {", "}"), [])
    assert.deepStrictEqual(told("class A extends B<C>(1) {", "}"), [])
    assert.deepStrictEqual(told("const a = {", "  b: { c: 1 }", "}"), [])
    assert.deepStrictEqual(told("switch (a) {", "  case (1): {", "  }", "}"), [])
  })

  it("gives the lines inside a function to that function alone", () => {
    assert.deepStrictEqual(
      told("const f = (a) => gen(function* () {", "  const g = () => {", "    h", "  }", "})"),
      ["1-5:1", "1-5:3", "2-4:3"]
    )
  })
})
