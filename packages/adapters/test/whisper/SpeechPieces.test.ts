import { assert, describe, it } from "@effect/vitest"
import { scaleRuns } from "@verbatim/testkit/laws"
import * as fc from "fast-check"
import * as Pieces from "#src/whisper/SpeechPieces"

const second = 16_000

const recordings = fc.record({
  sampleCount: fc.integer({ min: 1, max: 200 * second }),
  isVadFiltered: fc.boolean(),
  speech: fc.array(
    fc
      .tuple(
        fc.integer({ min: -second, max: 210 * second }),
        fc.integer({ min: 0, max: 60 * second })
      )
      .map(([start, length]) => ({ start, end: start + length })),
    { maxLength: 30 }
  )
})

type Recording = Parameters<typeof Pieces.cutPieces>[0]

const lawful = (name: string, law: (recording: Recording) => void) =>
  it(name, () => fc.assert(fc.property(recordings, law), { numRuns: scaleRuns(500) }))

describe("a recording's pieces", () => {
  lawful("are in order, within the audio, and never too long for a model", (recording) => {
    let latest = 0
    for (const { end, start } of Pieces.cutPieces(recording)) {
      assert.isAtLeast(start, latest)
      assert.isAbove(end, start)
      assert.isAtMost(end - start, Pieces.pieceMax)
      assert.isAtMost(end, recording.sampleCount)
      latest = end
    }
  })

  lawful("contain all speech", (recording) => {
    const cutPieces = Pieces.cutPieces(recording)
    const isHeld = (at: number) => cutPieces.some(({ end, start }) => at >= start && at < end)
    for (const { end, start } of recording.speech) {
      for (const at of [start, Math.floor((start + end) / 2), end - 1]) {
        if (at < 0 || at >= recording.sampleCount || end <= start) continue
        assert.isTrue(isHeld(at), `${at}`)
      }
    }
  })

  lawful("cover all audio if silence is kept, unless the audio has no speech", (recording) => {
    const cutPieces = Pieces.cutPieces({ ...recording, isVadFiltered: false })
    const total = cutPieces.reduce((sum, { end, start }) => sum + end - start, 0)
    const isSpoken = recording.speech.some(
      ({ end, start }) => Math.min(end, recording.sampleCount) > Math.max(start, 0)
    )
    assert.strictEqual(total, isSpoken ? recording.sampleCount : 0)
  })

  it("are cut in silence if possible", () => {
    const speech = [
      { start: 0, end: 20 * second },
      { start: 22 * second, end: 40 * second }
    ]
    const all = { sampleCount: 40 * second, speech }
    assert.deepStrictEqual(Pieces.cutPieces({ ...all, isVadFiltered: true }), speech)
    assert.deepStrictEqual(Pieces.cutPieces({ ...all, isVadFiltered: false }), [
      { start: 0, end: 21 * second },
      { start: 21 * second, end: 40 * second }
    ])
  })

  it("include short breaks in speech", () => {
    const speech = [0, 3, 6].map((at) => ({ start: at * second, end: (at + 2.5) * second }))
    const all = { sampleCount: 10 * second, speech, isVadFiltered: true }
    assert.deepStrictEqual(Pieces.cutPieces(all), [{ start: 0, end: 8.5 * second }])
  })
})
