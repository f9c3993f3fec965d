import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Result, Schema } from "effect"
import { decode, responses } from "#src/domain/request/RequestFormat"
import { requestFields } from "#src/domain/request/ResponsesRequest"
import { describe as describeProblems, formatPath } from "#src/domain/schema/Problem"

const problemsOf = (body: unknown) => {
  const outcome = decode(responses, { body })
  return Result.isFailure(outcome) ? outcome.failure.problems : []
}

const pathsOf = (body: unknown): ReadonlyArray<string> => problemsOf(body).map(({ path }) => path)

describe("the problems of a request body", () => {
  const text = "must not contain NUL or a lone surrogate"

  it("are listed in field order, whatever their kind", () =>
    assert.deepStrictEqual(
      problemsOf({
        "later\0": 1,
        user: 1,
        top_p: Number.POSITIVE_INFINITY,
        model: 5,
        instructions: "a\0",
        input: Array.from({ length: 21_000 }, () => ({}))
      }),
      [
        { path: "instructions", rule: text },
        { path: "model", rule: "must be a string" },
        { path: "top_p", rule: "must be a finite number" },
        { path: "user", rule: "must be a string" },
        { path: '["later\\u0000"]', rule: text }
      ]
    ))

  it("are limited to the first ten in field order, not in the order of the body", () => {
    const body = { later: Array.from({ length: 20 }, () => "\0"), user: "\0", model: 5 }
    assert.deepStrictEqual(pathsOf(body), [
      "model",
      "user",
      ...Array.from({ length: 8 }, (_, index) => `later[${index}]`)
    ])
  })

  it("list a field's broken limits before its broken rules", () =>
    assert.deepStrictEqual(pathsOf({ provider: { sort: "\0", allow_fallbacks: 3 } }), [
      "provider.sort",
      "provider.allow_fallbacks",
      "provider.sort"
    ]))

  it("include a problem with a whole value as well as the problems inside it", () => {
    const metadata = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, ""]))
    assert.strictEqual(
      describeProblems(problemsOf({ metadata: { ...metadata, k3: 3 }, user: "u".repeat(257) })),
      "Invalid request parameters: metadata: at most 16 pairs; " +
        "metadata.k3: must be a string; user: at most 256 characters"
    )
    assert.deepStrictEqual(
      pathsOf({ tools: [{}, { type: "function", name: "f", defer_loading: true }] }),
      ["tools[1].defer_loading", "tools[0].type"]
    )
  })

  it("are all reported, even if a single check finds several", () =>
    assert.deepStrictEqual(
      problemsOf({ tools: [{ type: "function", name: "f", defer_loading: true }] }),
      [
        { path: "tools[0].defer_loading", rule: "needs a tool_search tool" },
        { path: "tools[0].defer_loading", rule: "needs another tool that is not deferred" }
      ]
    ))

  it("are limited to ten even if the body has thousands", () => {
    assert.strictEqual(problemsOf({ models: Array.from({ length: 11 }, () => 0) }).length, 10)
    assert.strictEqual(problemsOf({ models: Array.from({ length: 99_000 }, () => 0) }).length, 10)
  })

  it("have no path if they concern the whole body", () => {
    for (const body of [null, [], "text", 1, true]) {
      assert.deepStrictEqual(problemsOf(body), [{ path: "", rule: "must be an object" }])
    }
    assert.strictEqual(
      describeProblems(problemsOf([])),
      "Invalid request parameters: body: must be an object"
    )
  })

  it("quote only the beginning of a long key", () => {
    assert.strictEqual(formatPath(["a", 0, "b-c", "d.e"]), 'a[0].b-c["d.e"]')
    assert.strictEqual(formatPath(["x".repeat(65)]), `["${"x".repeat(64)}…"]`)
    assert.isAtMost(formatPath(Array.from({ length: 1000 }, () => "x")).length, 257)
    assert.isTrue(formatPath([`${"x".repeat(63)}😀`]).isWellFormed())
  })

  const secret = Schema.Literals(["s3cret", "s3cret-0"])
  const Secrets = Schema.Union([
    secret,
    Schema.Array(Schema.Union([secret, Schema.Record(Schema.Literals(["id", "type"]), secret)])),
    Schema.Record(Schema.Literals(["id", "type", "engine", "ttl", "sort"]), secret)
  ])
  const FieldName = Schema.Literals(Object.keys(requestFields))

  it.prop(
    "never quote a value",
    [Arbitrary.array(Arbitrary.schema(Schema.Tuple([FieldName, Secrets])))],
    ([entries]) => {
      const problems = problemsOf(Object.fromEntries(entries))
      assert.notInclude(describeProblems(problems), "s3cret")
      assert.isTrue(problems.every(({ path, rule }) => path !== "" && rule !== "not valid"))
    },
    { arbitrary: { runs: 300 } }
  )
})
