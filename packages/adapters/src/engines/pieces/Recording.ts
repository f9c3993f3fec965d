/**
 * A file of decoded audio as it is uploaded: parts of it as WAV, streamed; short stretches of it in
 * memory, to look for silence and to show a voice.
 */
import { type DecodedAudio, sampleRate } from "@verbatim/core/transcription"
import { Duration, Effect, FileSystem, type PlatformError, Stream } from "effect"
import { header, headerBytes, sampleBytes } from "./Wave.ts"

// Where long audio is cut: into equal shares under a limit, each cut moved to the quietest moment
// nearby, so that it falls between words. Pure.

/** Samples from `from` up to `to`. */
export interface AudioPiece {
  readonly from: number
  readonly to: number
}

/** The farthest from a planned cut: people breathe more often than this. */
const searchMax = 30 * sampleRate

/** Loudness is compared over 20 ms, and over ten of them: the gap between two sentences. */
const frame = sampleRate / 50
const framesOfQuiet = 10

/** The samples among which to look for the next cut, or none when the rest is one piece. */
export const findSearchRange = (rest: AudioPiece, sampleMax: number): AudioPiece | undefined => {
  const length = rest.to - rest.from
  if (length <= sampleMax) return undefined
  const share = length / Math.ceil(length / sampleMax)
  const reach = Math.min(searchMax, share / 4)
  return {
    from: Math.floor(rest.from + share - reach),
    to: Math.floor(Math.min(rest.from + share + reach, rest.from + sampleMax))
  }
}

/** The sample in the middle of the quietest stretch, counted from the first one given. */
export const findQuietest = (pcm: Uint8Array): number => {
  const loudness = frames(pcm)
  const run = Math.min(framesOfQuiet, loudness.length)
  if (run === 0) return 0
  let sum = loudness.slice(0, run).reduce((total, each) => total + each, 0)
  let least = sum
  let at = 0
  for (let next = run; next < loudness.length; next++) {
    sum += (loudness[next] ?? 0) - (loudness[next - run] ?? 0)
    if (sum >= least) continue
    least = sum
    at = next - run + 1
  }
  return Math.floor((at + run / 2) * frame)
}

/** The sum of the magnitudes of each whole frame. */
const frames = (pcm: Uint8Array): ReadonlyArray<number> => {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength)
  const frameBytes = frame * sampleBytes
  return Array.from({ length: Math.floor(pcm.byteLength / frameBytes) }, (_, index) => {
    let sum = 0
    for (let at = index * frameBytes; at < (index + 1) * frameBytes; at += sampleBytes) {
      sum += Math.abs(view.getInt16(at, true))
    }
    return sum
  })
}

/** Bytes of one second. */
export const bytesPerSecond = sampleRate * sampleBytes

/** Small enough that many uploads at once stay small, large enough to cost little. */
const chunkBytes = 64 * 1024

/** A stretch of a recording, in milliseconds of the file. */
export interface TimeRange {
  readonly startMillis: number
  readonly endMillis: number
}

/** A recording that can be read. */
export interface Recording {
  /** A piece as WAV, and its length. */
  readonly wave: (piece: AudioPiece) => {
    readonly content: Stream.Stream<Uint8Array, PlatformError.PlatformError>
    readonly byteLength: number
  }
  /** The next piece that begins at this sample. */
  readonly next: (
    from: number,
    sampleMax: number
  ) => Effect.Effect<AudioPiece, PlatformError.PlatformError>
  /** A short stretch as a data URL. */
  readonly dataUrl: (range: TimeRange) => Effect.Effect<string, PlatformError.PlatformError>
}

/** Opens nothing yet, but fails when the file is missing or too short. */
export const open = Effect.fnUntraced(function* ({ path, sampleCount }: DecodedAudio) {
  const fs = yield* FileSystem.FileSystem
  const { size } = yield* fs.stat(path)
  if (size < BigInt(sampleCount * sampleBytes)) return yield* Effect.fail("ShorterThanPromised")

  const pcm = ({ from, to }: AudioPiece) =>
    fs.stream(path, {
      offset: from * sampleBytes,
      bytesToRead: (to - from) * sampleBytes,
      chunkSize: chunkBytes
    })
  const wave = (piece: AudioPiece) => {
    const samples = piece.to - piece.from
    return {
      content: Stream.concat(Stream.make(header(samples)), pcm(piece)),
      byteLength: headerBytes + samples * sampleBytes
    }
  }
  const bytesOf = <E>(content: Stream.Stream<Uint8Array, E>) =>
    Effect.map(Stream.runCollect(content), (chunks) => Buffer.concat(chunks))

  const next = Effect.fnUntraced(function* (from: number, sampleMax: number) {
    const rest = { from, to: sampleCount }
    const search = findSearchRange(rest, sampleMax)
    if (search === undefined) return rest
    return { from, to: search.from + findQuietest(yield* bytesOf(pcm(search))) }
  })
  const dataUrl = Effect.fnUntraced(function* ({ endMillis, startMillis }: TimeRange) {
    const piece = { from: sampleAt(startMillis), to: Math.min(sampleAt(endMillis), sampleCount) }
    const bytes = yield* bytesOf(wave(piece).content)
    return `data:audio/wav;base64,${bytes.toString("base64")}`
  })
  return { wave, next, dataUrl } satisfies Recording
})

/** The first sample at or after an instant. */
const sampleAt = (millis: number): number => Math.ceil((millis * sampleRate) / 1_000)

// What a piece of audio may weigh and how long its answer may take, whoever is asked. Pure.

/** The limit of OpenAI, which others have copied. */
export const uploadBytesMax = 25_000_000

/** Whatever the limit, a piece is long enough to be worth a request. */
const pieceSecondsMin = 5

/** Servers refuse shorter audio, and it holds no word. */
export const soundMillisMin = 100

/** A slow server needs four times the audio's length; the rest is sending and starting. */
const timeoutFactor = 4
const startTimeout = Duration.seconds(90)
const sentBytesPerSecondMin = 32 * 1024

/** The fewest samples of a piece. */
export const samplesMin = pieceSecondsMin * sampleRate

/** How long to wait for the answer about so much audio. */
export const answerTimeout = (sent: { readonly seconds: number; readonly bytes: number }) =>
  Duration.sum(
    startTimeout,
    Duration.seconds(sent.seconds * timeoutFactor + sent.bytes / sentBytesPerSecondMin)
  )

/** The millisecond at a sample. */
export const millisAt = (sample: number): number => Math.round((sample * 1_000) / sampleRate)
