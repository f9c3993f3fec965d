import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { toVoiceRanges } from "#src/whisper/VoiceRanges"

const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 25_000 }))
const Segments = Schema.Array(Schema.Struct({ startMillis: Millis, endMillis: Millis }))

describe("ranges for voiceprints", () => {
  it.prop("cover each segment of at least 500 ms, in parts of at most 3 s", [Segments], ([all]) => {
    for (const segment of all) {
      const ranges = toVoiceRanges([segment])
      if (segment.endMillis - segment.startMillis < 500) assert.deepStrictEqual(ranges, [])
      else {
        assert.strictEqual(ranges[0]?.startMillis, segment.startMillis)
        assert.strictEqual(ranges.at(-1)?.endMillis, segment.endMillis)
      }
      for (const [index, { endMillis, startMillis }] of ranges.entries()) {
        assert.isAtLeast(endMillis - startMillis, 500)
        assert.isAtMost(endMillis - startMillis, 3_000)
        assert.strictEqual(ranges[index + 1]?.startMillis ?? segment.endMillis, endMillis)
      }
    }
    assert.strictEqual(
      toVoiceRanges(all).length,
      all.reduce((sum, segment) => sum + toVoiceRanges([segment]).length, 0)
    )
  })
})
