import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { fromMinutes, isSufficient, toMinutes } from "#src/domain/workspace/Usage"

const someMillis = Schema.Int.check(
  Schema.isBetween({ minimum: -1_000_000_000, maximum: 1_000_000_000_000 })
)

describe("Balance", () => {
  it("is enough for a job at 60.01 minutes, but not at 60.00", () => {
    assert.isTrue(isSufficient(fromMinutes(60.01)))
    assert.isFalse(isSufficient(fromMinutes(60)))
    assert.isFalse(isSufficient(0))
  })

  it("is shown as decimal minutes with two digits", () => {
    const shown = [
      [36_000_000, "600.00"],
      [35_927_430, "598.79"],
      [3_600_600, "60.01"],
      [599, "0.00"],
      [600, "0.01"],
      [0, "0.00"],
      [-1, "-0.01"],
      [-59_999, "-1.00"],
      [-90_000, "-1.50"]
    ] as const
    for (const [millis, minutes] of shown) assert.strictEqual(toMinutes(millis), minutes)
  })

  it.prop("is rounded down to a hundredth of a minute", [someMillis], ([millis]) => {
    const hundredths = Math.round(Number(toMinutes(millis)) * 100)
    assert.isAtMost(hundredths * 600, millis)
    assert.isAbove((hundredths + 1) * 600, millis)
  })
})
