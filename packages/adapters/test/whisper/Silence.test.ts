import { assert, describe, it } from "@effect/vitest"
import { scaleRuns } from "@verbatim/testkit/laws"
import * as fc from "fast-check"
import { spansBetween } from "#src/whisper/Silence"

const second = 16_000
const margin = second / 10

type Stretch = readonly [seconds: number, level: number]

const samples = (stretches: ReadonlyArray<Stretch>): Float32Array =>
  Float32Array.from(
    stretches.flatMap(([seconds, level]) =>
      // The sign changes, as that of sound does.
      Array.from({ length: Math.round(seconds * second) }, (_, at) => (at % 2 ? -level : level))
    )
  )

const spans = (...stretches: ReadonlyArray<Stretch>) => spansBetween([samples(stretches)])

describe("speech without a model", () => {
  it("lies between silences, with a tenth of a second at both ends", () => {
    assert.deepStrictEqual(spans([3, 0], [2, 0.3], [4, 0], [1, 0.3], [1, 0]), [
      { start: 3 * second - margin, end: 5 * second + margin },
      { start: 9 * second - margin, end: 10 * second + margin }
    ])
  })

  it("goes on over a short pause, to both ends of the recording, and over hiss", () => {
    assert.deepStrictEqual(spans([0.3, 0], [1, 0.3], [0.39, 0], [1, 0.3], [0.3, 0]), [
      { start: 0, end: Math.round(2.99 * second) }
    ])
    // -36 dB is silence, -34 dB is not.
    assert.deepStrictEqual(spans([2, 0.0158]), [])
    assert.deepStrictEqual(spans([2, 0.02]), [{ start: 0, end: 2 * second }])
  })

  it("is nowhere in silence, however short", () => {
    for (const seconds of [0, 0.01, 60]) assert.deepStrictEqual(spans([seconds, 0]), [])
  })

  it("is the same however the samples come, in order, and holds every loud sample", () => {
    const stretch = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.3))
    fc.assert(
      fc.property(fc.array(stretch, { maxLength: 8 }), fc.integer({ min: 1_000 }), (all, size) => {
        const sound = samples(all)
        const blocks: Array<Float32Array> = []
        for (let at = 0; at < sound.length; at += size) blocks.push(sound.subarray(at, at + size))
        const found = spansBetween(blocks)
        assert.deepStrictEqual(found, spansBetween([sound]))
        for (const [index, { end, start }] of found.entries()) {
          assert.isAtLeast(start, found[index - 1]?.end ?? 0)
          assert.isAtMost(end, sound.length)
        }
        const isHeld = (at: number) => found.some(({ end, start }) => at >= start && at < end)
        for (let at = 0; at < sound.length; at += 97) {
          if (sound[at] !== 0) assert.isTrue(isHeld(at))
        }
      }),
      { numRuns: scaleRuns(100) }
    )
  })
})
