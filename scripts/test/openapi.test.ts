import { assert, describe, it } from "@effect/vitest"
import { exceptions, findingsIn } from "../documents/Openapi.ts"
import { changesBetween } from "../documents/OpenapiChanges.ts"

const problem = (rule: string, pointer: string) => ({
  ruleId: rule,
  message: "is wrong",
  location: [{ pointer }]
})

const expected = exceptions.map(({ pointer, rule }) => problem(rule, pointer))

const report = (...problems: ReadonlyArray<ReturnType<typeof problem>>): string =>
  JSON.stringify({ problems })

describe("the findings of the linter", () => {
  it("are none when they are all excepted", () =>
    assert.deepStrictEqual(findingsIn(report(...expected)), []))

  it("are told by rule and place", () =>
    assert.deepStrictEqual(findingsIn(report(...expected, problem("some-rule", "#/paths"))), [
      { rule: "some-rule", pointer: "#/paths", message: "is wrong" }
    ]))

  it("include exceptions that nobody needs", () =>
    assert.deepStrictEqual(
      findingsIn(report(...expected.slice(1))).map(({ message }) => message),
      ["needs no exception any more"]
    ))

  it("are excepted with a reason", () => {
    for (const { reason } of exceptions) assert.isNotEmpty(reason)
  })
})

describe("changes of the document", () => {
  it("are named by their places", () => {
    const before = { paths: { "/a": { get: { id: "one" } }, "/b": {} } }
    const after = { paths: { "/a": { get: { id: "two" } }, "/c": {} } }
    assert.deepStrictEqual(changesBetween(before, after), [
      "~ #/paths/~1a/get/id: one is now two",
      "- #/paths/~1b",
      "+ #/paths/~1c"
    ])
    assert.deepStrictEqual(changesBetween(before, before), [])
  })
})
