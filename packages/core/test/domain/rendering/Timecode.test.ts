/** Timestamps are exact for every whole number of milliseconds. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { clock, seconds, timecode } from "#src/domain/rendering/Timecode"

const millis = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const subtitles: Readonly<Record<number, string>> = {
  0: "00:00:00.000",
  75001: "00:01:15.001",
  35999999: "09:59:59.999",
  36000000: "10:00:00.000",
  360000000: "100:00:00.000"
}

/** A format with examples, each a number of milliseconds and the expected text. */
const forms: Readonly<Record<string, readonly [typeof clock, Readonly<Record<number, string>>]>> = {
  "%d ms as %s seconds": [
    seconds,
    {
      0: "0",
      4000: "4",
      290: "0.29",
      75100: "75.1",
      1: "0.001",
      1001: "1.001",
      100000: "100",
      [Number.MAX_SAFE_INTEGER]: "9007199254740.991"
    }
  ],
  "%d ms as %s on the clock": [
    clock,
    {
      0: "0:00:00",
      999: "0:00:00",
      59999: "0:00:59",
      60000: "0:01:00",
      3599999: "0:59:59",
      3600000: "1:00:00",
      36000000: "10:00:00",
      360000000: "100:00:00"
    }
  ],
  "%d ms as %s in subtitles": [(millis) => timecode(millis, "."), subtitles]
}

describe("Timecode", () => {
  for (const [title, [write, texts]] of Object.entries(forms)) {
    it.each(Object.entries(texts))(`writes ${title}`, (millis, text) => {
      assert.strictEqual(write(Number(millis)), text)
    })
  }

  it.prop("writes every millisecond exactly, without extra zeros", [millis], ([millis]) => {
    assert.match(seconds(millis), /^(0|[1-9]\d*)(\.\d{0,2}[1-9])?$/)
    const [whole = "", fraction = ""] = seconds(millis).split(".")
    assert.strictEqual(BigInt(whole + fraction.padEnd(3, "0")), BigInt(millis))
  })

  it.prop("never writes a later time as an earlier one", [millis, millis], ([one, other]) => {
    const total = (millis: number) =>
      clock(millis)
        .split(":")
        .reduce((sum, part) => sum * 60 + Number(part), 0)
    const [earlier, later] = one <= other ? [one, other] : [other, one]
    assert.isTrue(total(earlier) <= total(later))
  })
})
