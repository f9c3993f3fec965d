import { assert, describe, it } from "@effect/vitest"
import { scaleRuns } from "@verbatim/testkit/laws"
import * as fc from "fast-check"
import * as Pieces from "#src/whisper/SpeechPieces"

const second = 16_000

const recordings = fc.record({
  sampleCount: fc.integer({ min: 1, max: 200 * second }),
  isVadFiltered: fc.boolean(),
  hasTimes: fc.boolean(),
  speech: fc.array(
    fc
      .tuple(
        fc.integer({ min: -second, max: 210 * second }),
        fc.integer({ min: 0, max: 60 * second })
      )
      .map(([from, length]) => ({ from, to: from + length })),
    { maxLength: 30 }
  )
})

type Recording = Parameters<typeof Pieces.cutPieces>[0]

const lawful = (name: string, law: (recording: Recording) => void) =>
  it(name, () => fc.assert(fc.property(recordings, law), { numRuns: scaleRuns(500) }))

describe("the pieces of a recording", () => {
  lawful("are in order and within the audio, and never too long for a model", (recording) => {
    let latest = 0
    for (const { from, to } of Pieces.cutPieces(recording)) {
      assert.isAtLeast(from, latest)
      assert.isAbove(to, from)
      assert.isAtMost(to - from, Pieces.pieceMax)
      assert.isAtMost(to, recording.sampleCount)
      latest = to
    }
  })

  lawful("contain all speech", (recording) => {
    const cutPieces = Pieces.cutPieces(recording)
    const isHeld = (at: number) => cutPieces.some(({ from, to }) => at >= from && at < to)
    for (const { from, to } of recording.speech) {
      for (const at of [from, Math.floor((from + to) / 2), to - 1]) {
        if (at < 0 || at >= recording.sampleCount || to <= from) continue
        assert.isTrue(isHeld(at), `${at}`)
      }
    }
  })

  lawful("cover all audio if silence is kept, unless the audio has no speech", (recording) => {
    const cutPieces = Pieces.cutPieces({ ...recording, isVadFiltered: false })
    const total = cutPieces.reduce((sum, { from, to }) => sum + to - from, 0)
    const isSpoken = recording.speech.some(
      ({ from, to }) => Math.min(to, recording.sampleCount) > Math.max(from, 0)
    )
    assert.strictEqual(total, isSpoken ? recording.sampleCount : 0)
  })

  it("are cut in silence where this is possible", () => {
    const speech = [
      { from: 0, to: 20 * second },
      { from: 22 * second, to: 40 * second }
    ]
    const all = { sampleCount: 40 * second, speech, hasTimes: true }
    assert.deepStrictEqual(Pieces.cutPieces({ ...all, isVadFiltered: true }), speech)
    assert.deepStrictEqual(Pieces.cutPieces({ ...all, isVadFiltered: false }), [
      { from: 0, to: 21 * second },
      { from: 21 * second, to: 40 * second }
    ])
  })

  it("contain the short pauses within speech", () => {
    const speech = [0, 3, 6].map((at) => ({ from: at * second, to: (at + 2.5) * second }))
    const all = { sampleCount: 10 * second, speech, isVadFiltered: true, hasTimes: true }
    assert.deepStrictEqual(Pieces.cutPieces(all), [{ from: 0, to: 8.5 * second }])
  })

  it("end at every break if the model returns no timestamps", () => {
    const speech = [0, 3, 6].map((at) => ({ from: at * second, to: (at + 2.5) * second }))
    const all = { sampleCount: 10 * second, speech, isVadFiltered: true, hasTimes: false }
    assert.deepStrictEqual(Pieces.cutPieces(all), speech)
  })

  it("separate speech from long pauses if silence is kept and there are no timestamps", () => {
    const speech = [3, 6, 12].map((at) => ({ from: at * second, to: (at + 2.5) * second }))
    const all = { sampleCount: 15 * second, speech, isVadFiltered: false, hasTimes: false }
    const edges = [0, 3, 6, 8.5, 12, 15].map((at) => at * second)
    const expected = edges.slice(1).map((to, index) => ({ from: edges[index] ?? 0, to }))
    assert.deepStrictEqual(Pieces.cutPieces(all), expected)
  })
})

describe("a voiceprint", () => {
  it("becomes bytes with the same direction, or zeros if a number is not finite", () => {
    const number = fc.oneof(fc.integer(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY))
    const vectors = fc
      .array(number, { minLength: 1, maxLength: 8 })
      .map((numbers) => Float32Array.from(numbers))
    fc.assert(
      fc.property(vectors, (vector) => {
        const bytes = Pieces.toVectorBytes(vector)
        const largest = Math.max(...vector.map(Math.abs))
        if (!Number.isFinite(largest))
          return assert.deepStrictEqual(bytes, new Int8Array(bytes.length))
        for (const [index, each] of vector.entries()) {
          assert.approximately(bytes[index] ?? 0, largest && (127 * each) / largest, 0.51)
        }
      }),
      { numRuns: scaleRuns(500) }
    )
  })
})
