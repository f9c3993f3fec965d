import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { parsePresetReference as decode } from "#src/domain/preset/PresetResolution"
import { PresetSlug } from "#src/domain/preset/PresetSlug"

const rows: ReadonlyArray<readonly [text: string, version: number | null | "refused"]> = [
  ["support", null],
  ["support@1", 1],
  ["support@10", 10],
  ["support@999999999999999", 999_999_999_999_999],
  ["support@9999999999999999", "refused"],
  ["__proto__@2", 2],
  ["1@2", 2],
  ["support@", "refused"],
  ["support@0", "refused"],
  ["support@01", "refused"],
  ["support@-1", "refused"],
  ["support@+1", "refused"],
  ["support@1.0", "refused"],
  ["support@1e3", "refused"],
  ["support@ 1", "refused"],
  ["support@1\n", "refused"],
  ["support@١", "refused"],
  ["support@1@1", "refused"],
  ["support@@1", "refused"],
  ["@1", "refused"],
  ["..@1", "refused"],
  ["a b@1", "refused"],
  ["", "refused"]
]

describe("a reference to a preset", () => {
  for (const [text, version] of rows) {
    const meaning = version === "refused" ? "is refused" : `means ${version ?? "no number"}`
    it(`${JSON.stringify(text)} ${meaning}`, () => {
      const read = decode(text)
      if (version === "refused") return assert.isTrue(Result.isFailure(read))
      assert.deepStrictEqual(
        Result.map(read, (reference) => reference.version),
        Result.succeed(version ?? undefined)
      )
    })
  }

  it("is refused with an explanation if it is invalid", () => {
    const both = "takes a version or a label, not both"
    const prefixed = "must have nothing before @preset/: a model belongs in the field model"
    const slug = "a slug, or a slug, @ and a version number or a label"
    for (const [text, rule] of [
      ["support@1@live", both],
      ["@preset/support@1@live", both],
      ["gpt@preset/support", prefixed],
      ["gpt@preset/support@3", prefixed],
      ["@preset/@preset/support", prefixed],
      ["support@@1", slug]
    ] as const) {
      const problems = Result.match(decode(text), {
        onSuccess: () => [],
        onFailure: (refusal) => refusal.problems
      })
      assert.deepStrictEqual(problems, [{ path: "preset", rule }], text)
    }
  })

  it.prop(
    "is parsed into its slug and version number",
    [PresetSlug, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 999_999_999_999_999 }))],
    ([slug, version]) => {
      assert.deepStrictEqual(decode(`${slug}@${version}`), Result.succeed({ slug, version }))
      assert.deepStrictEqual(decode(slug), Result.succeed({ slug }))
    }
  )
})
