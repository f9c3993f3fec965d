/**
 * Tests the real Silero VAD, in the child process, on the recording from the examples with added
 * noise.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { AudioDecoder } from "@verbatim/core/ports"
import { Effect, FileSystem } from "effect"
import { speechDetector, speechDetectorSha256 } from "#src/whisper/WhisperTranscriber"
import { sharedWasm } from "../ffmpeg/Decoders.ts"
import { makeWorkshop, silence } from "./Workshop.ts"

const rate = 16_000

const meetingPath = fileURLToPath(
  new URL("../../../../examples/audio/harbour-meeting.flac", import.meta.url)
)

/** Reads the samples of the meeting, without noise. */
const meeting = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { decode } = yield* AudioDecoder
  const audio = yield* decode({ path: meetingPath, extension: ".flac", byteLength: 1 })
  return new Int16Array((yield* fs.readFile(audio.path)).slice().buffer)
}).pipe(Effect.provide(sharedWasm()))

/**
 * Generates noise that is always the same, with peaks just above -35 dB, the threshold for silence.
 */
const makeNoise = () => {
  let state = 1
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state / 2 ** 31 - 1) * 600
  }
}

/** Seconds of noise before and after the meeting. */
const apart = 10

/** The samples of the meeting, with noise added. */
const noisyMeeting = Effect.map(meeting, (samples) => {
  const noise = makeNoise()
  const noisy = Int16Array.from({ length: samples.length + 2 * apart * rate }, noise)
  for (const [index, sample] of samples.entries()) {
    const at = apart * rate + index
    noisy[at] = Math.max(-32_768, Math.min(32_767, sample + (noisy[at] ?? 0)))
  }
  return noisy
})

describe("the bundled speech detector", () => {
  it("is identical to the file that its authors published", () => {
    if (speechDetector === null) return assert.fail("it is not there")
    const digest = createHash("sha256").update(readFileSync(speechDetector)).digest("hex")
    assert.strictEqual(digest, speechDetectorSha256)
  })

  it.live("finds only the speech in a noisy meeting", () =>
    Effect.gen(function* () {
      const noisy = yield* noisyMeeting
      const { recognise, write } = yield* makeWorkshop({ kinds: ["whisper"], speechDetector })
      const { segments } = yield* recognise(yield* write(noisy))
      const end = (noisy.length / rate - apart) * 1_000
      assert.isAbove(segments.length, 1)
      for (const { endMillis, startMillis } of segments) {
        assert.isAbove(startMillis, apart * 1_000)
        assert.isBelow(endMillis, end + 1_000)
      }
    }).pipe(Effect.scoped, Effect.provide(nodeFileSystem))
  )

  it.live("finds no speech in silence or in noise", () =>
    Effect.gen(function* () {
      const { recognise, record, write } = yield* makeWorkshop({
        kinds: ["whisper"],
        speechDetector
      })
      assert.deepStrictEqual((yield* recognise(yield* record(silence(5)))).segments, [])
      const noise = yield* write(Int16Array.from({ length: 10 * rate }, makeNoise()))
      assert.deepStrictEqual((yield* recognise(noise)).segments, [])
    }).pipe(Effect.scoped, Effect.provide(nodeFileSystem))
  )
})
