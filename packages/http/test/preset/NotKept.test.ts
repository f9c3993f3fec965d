import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { notKeptHeader, notKeptName } from "#src/contract/preset/PresetHeaders"

describe("the X-Verbatim-Not-Kept header", () => {
  it("lists the paths of the fields that were not kept, and is omitted if all were kept", () => {
    assert.deepStrictEqual(notKeptHeader([]), {})
    assert.deepStrictEqual(notKeptHeader(["stream", "a, b\r\n", "é%"]), {
      [notKeptName]: "stream, a%2C%20b%0D%0A, %C3%A9%25"
    })
  })

  it.prop(
    "has a valid value of at most 1 kB, whatever the paths contain",
    [Arbitrary.schema(Schema.Array(Schema.String))],
    ([paths]) => {
      const many = [...paths, ...paths.map((path) => path.repeat(200)), "x".repeat(2_000)]
      const value = notKeptHeader(many)[notKeptName] ?? ""
      assert.isAtMost(value.length, 1_024)
      assert.match(value, /^[ -~]*%E2%80%A6$/)
    }
  )
})
