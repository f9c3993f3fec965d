/** A summary is never longer than requested, and always has enough audio. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { choose, SummaryType } from "#src/domain/summary/SummaryType"

const minute = 60_000

describe("Choosing the type of a summary", () => {
  it("fails for an empty transcript, however long the audio is", () => {
    for (const durationMillis of [0, 60 * minute]) {
      assert.deepStrictEqual(
        choose({ requested: "long", durationMillis, isEmpty: true }),
        Result.fail("transcript is empty")
      )
    }
  })

  /** The types, shortest first, with the seconds of audio that each requires. */
  const decided = [
    ["brief", 60],
    ["medium", 180],
    ["long", 600]
  ] as const

  const nearBorder = Schema.Struct({
    seconds: Schema.Literals([0, 60, 180, 600, 36_000]),
    offMillis: Schema.Int.check(Schema.isBetween({ minimum: -2, maximum: 2 }))
  })

  it.prop(
    "returns the longest type that has enough audio, up to the requested one",
    { requested: SummaryType, nearBorder },
    ({ nearBorder: { offMillis, seconds }, requested }) => {
      const durationMillis = Math.max(0, seconds * 1_000 + offMillis)
      const asked = decided.findIndex(([type]) => type === requested)
      const expected = decided
        .slice(0, asked + 1)
        .findLast(([, least]) => durationMillis >= least * 1_000)
      const chosen = Result.merge(choose({ requested, durationMillis, isEmpty: false }))
      assert.strictEqual(chosen, expected?.[0] ?? "transcript too short")
    }
  )
})
