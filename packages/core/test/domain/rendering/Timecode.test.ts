/** Times are written exactly, for every integer. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { clock, seconds, timecode } from "#src/domain/rendering/Timecode"

const millis = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

describe("Timecode", () => {
  it.each([
    [0, "0"],
    [4000, "4"],
    [290, "0.29"],
    [75_100, "75.1"],
    [1, "0.001"],
    [1_001, "1.001"],
    [100_000, "100"],
    [Number.MAX_SAFE_INTEGER, "9007199254740.991"]
  ])("writes %d ms as %s seconds", (millis, text) => {
    assert.strictEqual(seconds(millis), text)
  })

  it.each([
    [0, "0:00:00"],
    [999, "0:00:00"],
    [59_999, "0:00:59"],
    [60_000, "0:01:00"],
    [3_599_999, "0:59:59"],
    [3_600_000, "1:00:00"],
    [36_000_000, "10:00:00"],
    [360_000_000, "100:00:00"]
  ])("writes %d ms as %s on the clock", (millis, text) => {
    assert.strictEqual(clock(millis), text)
  })

  it.each([
    [0, "00:00:00.000"],
    [75_001, "00:01:15.001"],
    [35_999_999, "09:59:59.999"],
    [36_000_000, "10:00:00.000"],
    [360_000_000, "100:00:00.000"]
  ])("writes %d ms as %s in subtitles", (millis, text) => {
    assert.strictEqual(timecode(millis, "."), text)
    assert.strictEqual(timecode(millis, ","), text.replace(".", ","))
  })

  it.prop("gives back every millisecond, without a zero too many", [millis], ([millis]) => {
    assert.match(seconds(millis), /^(0|[1-9]\d*)(\.\d{0,2}[1-9])?$/)
    const [whole = "", fraction = ""] = seconds(millis).split(".")
    assert.strictEqual(BigInt(whole + fraction.padEnd(3, "0")), BigInt(millis))
  })

  it.prop("never runs backwards on the clock", [millis, millis], ([one, other]) => {
    const total = (millis: number) =>
      clock(millis)
        .split(":")
        .reduce((sum, part) => sum * 60 + Number(part), 0)
    const [earlier, later] = one <= other ? [one, other] : [other, one]
    assert.isTrue(total(earlier) <= total(later))
  })
})
