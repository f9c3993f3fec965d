/**
 * The real Silero VAD, in the child, on the recording of the examples: fourteen turns of speech, in
 * noise that is too loud to count as silence.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import { AudioDecoder } from "@verbatim/core/ports"
import { Effect, FileSystem } from "effect"
import { spansBetween } from "#src/whisper/Silence"
import { sha256, speechDetector } from "#src/whisper/WhisperTranscriber"
import { oneWasm } from "../ffmpeg/OneWasm.ts"
import { silence, workshop } from "./Workshop.ts"

const rate = 16_000

const meetingPath = fileURLToPath(
  new URL("../../../../examples/audio/harbour-meeting.flac", import.meta.url)
)

/** The meeting, which has no noise: what is not silent is speech. */
const meeting = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const { decode } = yield* AudioDecoder
  const audio = yield* decode({ path: meetingPath, extension: ".flac", byteLength: 1 })
  const bytes = yield* fs.readFile(audio.path)
  const samples = new Int16Array(bytes.slice().buffer)
  const spans = spansBetween([Float32Array.from(samples, (sample) => sample / 32_768)])
  return { samples, spans }
}).pipe(Effect.provide(oneWasm()))

/** Always the same noise, whose peaks are just above -35 dB, where silence ends. */
const makeNoise = () => {
  let state = 1
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state / 2 ** 31 - 1) * 600
  }
}

/** Three seconds of nothing but noise before each turn, and after the last one. */
const apart = 3 * rate

/** The turns of the meeting far apart, and where each begins. */
const noisyMeeting = Effect.map(meeting, ({ samples, spans }) => {
  const total = spans.reduce((sum, { end, start }) => sum + end - start + apart, apart)
  const noise = makeNoise()
  const noisy = Int16Array.from({ length: total }, noise)
  let at = 0
  const starts = spans.map(({ end, start }) => {
    at += apart
    const begin = at
    for (let index = start; index < end; index++, at++) {
      noisy[at] = Math.max(-32_768, Math.min(32_767, (samples[index] ?? 0) + (noisy[at] ?? 0)))
    }
    return begin
  })
  return { noisy, starts }
})

/** Where the pieces begin that the small whisper heard: 0.2 s before its first words. */
const piecesIn = (segments: ReadonlyArray<{ startMillis: number; text: string }>) =>
  segments.filter(({ text }) => text === "good morning").map(({ startMillis }) => startMillis - 200)

const hearNoisyMeeting = Effect.fnUntraced(
  function* (detector: string | null) {
    const { noisy, starts } = yield* noisyMeeting
    const { hear, write } = yield* workshop({ kinds: ["whisper"], speechDetector: detector })
    const { segments } = yield* hear(yield* write(noisy))
    return { pieces: piecesIn(segments), starts: starts.map((start) => (start * 1_000) / rate) }
  },
  Effect.scoped,
  Effect.provide(nodeFileSystem)
)

describe("the model that comes along", () => {
  it("is the one that its authors published", () => {
    if (speechDetector === null) return assert.fail("it is not there")
    const digest = createHash("sha256").update(readFileSync(speechDetector)).digest("hex")
    assert.strictEqual(digest, sha256)
  })

  it.live("finds every turn of a meeting in noise, and nothing else", () =>
    Effect.gen(function* () {
      const { pieces, starts } = yield* hearNoisyMeeting(speechDetector)
      assert.strictEqual(starts.length, 14)
      assert.strictEqual(pieces.length, starts.length)
      for (const [index, start] of starts.entries()) {
        assert.closeTo(pieces[index] ?? Number.NaN, start, 300)
      }
    })
  )

  it.live("is needed: by loudness alone all of it is speech", () =>
    Effect.gen(function* () {
      const { pieces } = yield* hearNoisyMeeting(null)
      // From the beginning, cut wherever a piece is full.
      assert.strictEqual(pieces[0], 0)
      assert.isBelow(pieces.length, 14)
    })
  )

  it.live("hears nobody in silence and in noise", () =>
    Effect.gen(function* () {
      const { hear, record, write } = yield* workshop({ kinds: ["whisper"], speechDetector })
      assert.deepStrictEqual((yield* hear(yield* record(silence(5)))).segments, [])
      const noise = yield* write(Int16Array.from({ length: 10 * rate }, makeNoise()))
      assert.deepStrictEqual((yield* hear(noise)).segments, [])
    }).pipe(Effect.scoped, Effect.provide(nodeFileSystem))
  )
})
