/** Tests the formats for durations, timestamps and sizes. */
import { assert, describe, it } from "vitest"
import { formatAgo, formatSpan, noteServerTime, now } from "../../page/ui/Clock.ts"
import { formatSize } from "../../page/ui/Words.ts"

describe("a duration", () => {
  it("is rounded up from seconds to minutes, and from tenths to seconds", () => {
    const spans = {
      0.4: "0 ms",
      999.6: "1.0 s",
      9949: "9.9 s",
      9960: "10 s",
      59400: "59 s",
      59600: "1 min 0 s",
      119700: "2 min 0 s",
      3599600: "1 h 0 min",
      172800000: "2 days"
    }
    for (const [millis, text] of Object.entries(spans)) {
      assert.strictEqual(formatSpan(Number(millis)), text)
    }
  })

  it("is zero if the second machine's clock is behind the first machine's", () => {
    assert.strictEqual(formatSpan(-20), "0 ms")
  })
})

describe("a timestamp", () => {
  it("is shown as the timestamp's age", () => {
    const now = Date.UTC(2026, 0, 15)
    const ago = (seconds: number) => formatAgo(new Date(now - seconds * 1_000), now)
    assert.deepStrictEqual([0, 40, 90, 7_300].map(ago), [
      "now",
      "40 sec. ago",
      "1 min. ago",
      "2 hr. ago"
    ])
  })
})

describe("the current time", () => {
  it("is not before the time of the server's latest response", () => {
    for (const seconds of [3, 9, 60]) {
      const at = new Date(Date.now() + seconds * 1_000)
      noteServerTime(at.toUTCString())
      assert.strictEqual(formatAgo(at, now.value), "now")
    }
  })
})

describe("a size", () => {
  it("is rounded up to the next unit", () => {
    const sizes = { 999: "999 bytes", 1000: "1.0 kB", 9960: "10 kB", 999950: "1.0 MB" }
    for (const [bytes, text] of Object.entries(sizes)) {
      assert.strictEqual(formatSize(Number(bytes)), text)
    }
  })
})
