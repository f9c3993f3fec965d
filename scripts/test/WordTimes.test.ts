import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { wordTimeErrors } from "../accuracy/WordTimes.ts"

const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))

describe("the errors of word times", () => {
  it.prop(
    "are counted only for correct words whose times are known",
    [Schema.Array(Schema.Literals(["right", "unknown", "missed", "wrong"])), Millis],
    ([kinds, shift]) => {
      const words = kinds.map((kind, at) => {
        const range = { startMillis: at * 100, endMillis: at * 100 + 50 }
        return { kind, text: `${kind}${at}`, range }
      })
      const known = words.map((word) => ({
        text: word.text,
        range: word.kind === "unknown" ? null : word.range
      }))
      const heard = words
        .filter(({ kind }) => kind !== "missed")
        .map(({ kind, range, text }) => ({
          text: kind === "wrong" ? "other" : `${text.toUpperCase()},`,
          range: { startMillis: range.startMillis + shift, endMillis: range.endMillis - shift }
        }))
      const count = kinds.filter((kind) => kind === "right").length
      assert.deepStrictEqual(wordTimeErrors(known, heard), Array(2 * count).fill(shift))
    }
  )
})
