import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { decode, PresetSlug } from "#src/domain/preset/PresetSlug"

const rows: ReadonlyArray<readonly [slug: unknown, isSlug: boolean]> = [
  ["a", true],
  ["A-Z_a.z~09", true],
  ["...", true],
  ["-", true],
  ["__proto__", true],
  ["x".repeat(255), true],
  ["x".repeat(256), false],
  ["", false],
  [".", false],
  ["..", false],
  ["a/b", false],
  ["a b", false],
  ["a%20b", false],
  ["a\n", false],
  ["é", false],
  ["a\0", false],
  [undefined, false],
  [1, false]
]

describe("a preset's slug", () => {
  for (const [slug, isSlug] of rows) {
    it(`${isSlug ? "is" : "is not"} ${JSON.stringify(slug)?.slice(0, 40)}`, () =>
      assert.strictEqual(Result.isSuccess(decode(slug)), isSlug))
  }

  it("is refused if it is invalid, with an error that states the rule", () => {
    const outcome = decode("..")
    assert.strictEqual(
      Result.isFailure(outcome) && outcome.failure.message,
      "Invalid request parameters: slug: 1 to 255 of A-Z a-z 0-9 . _ ~ -, and neither . nor .."
    )
  })

  it.prop("needs no escaping in a URL's path", [PresetSlug], ([slug]) => {
    assert.strictEqual(encodeURIComponent(slug), slug)
    assert.strictEqual(new URL(`http://host/${slug}`).pathname, `/${slug}`)
  })
})
