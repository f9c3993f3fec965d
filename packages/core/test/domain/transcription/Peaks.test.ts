/** Peaks are correct for any signal, however its samples are split into chunks. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { makePeakFold, pairMax, toPeaksView } from "#src/domain/transcription/DecodedAudio"

const signal = fc.int16Array({ minLength: 1, maxLength: 5_000 })

const fold = (samples: Int16Array, cuts: ReadonlyArray<number>) => {
  const { add, peaks } = makePeakFold(samples.length)
  const places = [0, ...cuts.map((cut) => cut % samples.length), samples.length]
  const sorted = places.toSorted((one, other) => one - other)
  for (const [index, from] of sorted.entries()) add(samples.subarray(from, sorted[index + 1]))
  return peaks()
}

describe("the peaks of a recording", () => {
  it("are the smallest and largest sample of each interval, however the samples arrive", () => {
    fc.assert(
      fc.property(signal, fc.array(fc.nat(), { maxLength: 20 }), (samples, cuts) => {
        const { interval, sampleCount, values } = fold(samples, cuts)
        assert.strictEqual(sampleCount, samples.length)
        assert.isAtMost(values.length, 2 * pairMax)
        assert.strictEqual(values.length, 2 * Math.ceil(samples.length / interval))
        for (let pair = 0; 2 * pair < values.length; pair += 1) {
          const own = [...samples.subarray(pair * interval, (pair + 1) * interval)]
          const real = [Math.min(...own), Math.max(...own)] as const
          for (const [side, sample] of real.entries()) {
            const value = (values[2 * pair + side] ?? 0) * 256
            assert.isAtMost(Math.abs(value), Math.abs(sample))
            assert.isBelow(Math.abs(sample - value), 256)
          }
        }
      })
    )
  })

  it("ignore samples after the end of the recording", () => {
    const { add, peaks } = makePeakFold(2)
    add(Int16Array.of(256))
    add(Int16Array.of(-512, 32_767, 32_767))
    assert.deepStrictEqual(peaks(), { sampleCount: 2, interval: 320, values: [-2, 1] })
  })

  it("are limited in number even for ten hours, and state their interval in seconds", () => {
    const { peaks } = makePeakFold(10 * 3_600 * 16_000)
    const { duration, interval, peaks: shown } = toPeaksView(peaks())
    assert.deepStrictEqual([duration, interval, shown.length], [36_000, 36, 2 * pairMax])
  })
})
