import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { diarizationError, type Turn, wordTimeErrors } from "../accuracy/TimeErrors.ts"

const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 }))

/** Generates a few short turns by two speakers, which often overlap. */
const Turns = Schema.Array(
  Schema.Struct({ speaker: Schema.Literals(["Ann", "Bob"]), startMillis: Millis, length: Millis })
).check(Schema.isMaxLength(6))

const toTurns = (drawn: typeof Turns.Type): ReadonlyArray<Turn> =>
  drawn.map(({ length, ...turn }) => ({ ...turn, endMillis: turn.startMillis + length }))

const exchange = (turns: ReadonlyArray<Turn>): ReadonlyArray<Turn> =>
  turns.map((turn) => ({ ...turn, speaker: turn.speaker === "Ann" ? "Bob" : "Ann" }))

/** Counts the wrong milliseconds one by one, and compares speakers by name. */
const countWrong = (known: ReadonlyArray<Turn>, found: ReadonlyArray<Turn>): number => {
  const areAt = (turns: ReadonlyArray<Turn>, millis: number) => (name: string) =>
    turns.some(
      ({ endMillis, speaker, startMillis }) =>
        speaker === name && startMillis <= millis && millis < endMillis
    )
  let wrong = 0
  for (let millis = 0; millis < 40; millis++) {
    const one = ["Ann", "Bob"].filter(areAt(known, millis))
    const other = ["Ann", "Bob"].filter(areAt(found, millis))
    const correct = one.filter((name) => other.includes(name))
    wrong += Math.max(one.length, other.length) - correct.length
  }
  return wrong
}

describe("the comparison of timestamps and speakers", () => {
  it.prop("uses the best mapping of speakers", [Turns, Turns], ([one, other]) => {
    const [known, found] = [toTurns(one), toTurns(other)]
    const { wrongMillis } = diarizationError(known, found)
    const best = Math.min(countWrong(known, found), countWrong(known, exchange(found)))
    assert.strictEqual(wrongMillis, best)
  })

  it.prop(
    "finds no error in identical turns, and counts all speech as wrong if there is no turn",
    [Turns],
    ([drawn]) => {
      const known = toTurns(drawn)
      const { isCountRight, wrongMillis } = diarizationError(known, exchange(known))
      assert.deepStrictEqual([isCountRight, wrongMillis], [true, 0])
      const none = diarizationError(known, [])
      assert.strictEqual(none.wrongMillis, none.knownMillis)
    }
  )

  it.prop(
    "compares times only for correct words whose times are known",
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
