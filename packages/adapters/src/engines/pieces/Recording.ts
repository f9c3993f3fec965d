/**
 * Reads decoded audio from a file for upload. Pieces are streamed as WAV; short ranges are read
 * into memory to find silence or to send a voice sample.
 */
import type { SampleRange } from "@verbatim/core/ports"
import { type DecodedAudio, sampleRate } from "@verbatim/core/transcription"
import { Duration, Effect, FileSystem, type PlatformError, Stream } from "effect"
import { header, headerBytes, sampleBytes } from "./Wave.ts"

// Cuts long audio into equal parts below a limit. Each cut is moved to the quietest point nearby,
// so that it falls between words. Pure.

/**
 * Maximum distance from a planned cut, in samples. Speakers pause for breath more often than this.
 */
const searchMax = 30 * sampleRate

/** Loudness is compared over ten frames of 20 ms: the gap between two sentences. */
const frame = sampleRate / 50
const framesOfQuiet = 10

/** Returns the range to search for the next cut, or undefined if the rest fits into one piece. */
export const findSearchRange = (rest: SampleRange, sampleMax: number): SampleRange | undefined => {
  const length = rest.to - rest.from
  if (length <= sampleMax) return undefined
  const share = length / Math.ceil(length / sampleMax)
  const reach = Math.min(searchMax, share / 4)
  return {
    from: Math.floor(rest.from + share - reach),
    to: Math.floor(Math.min(rest.from + share + reach, rest.from + sampleMax))
  }
}

/** Returns the index of the middle sample of the quietest range. */
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

/** Returns the sum of the samples' magnitudes in each complete frame. */
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

/** Bytes per second of decoded audio. */
export const bytesPerSecond = sampleRate * sampleBytes

/**
 * Bytes per read: few enough for many concurrent uploads, and enough to keep the number of reads
 * low.
 */
const chunkBytes = 64 * 1024

/** A range of a recording, in milliseconds from the start of the file. */
export interface TimeRange {
  readonly startMillis: number
  readonly endMillis: number
}

/** Provides access to a recording's decoded audio, piece by piece. */
export interface Recording {
  /** Returns a piece as WAV, with its byte length. */
  readonly wave: (piece: SampleRange) => {
    readonly content: Stream.Stream<Uint8Array, PlatformError.PlatformError>
    readonly byteLength: number
  }
  /** Returns the next piece, starting at this sample. */
  readonly next: (
    from: number,
    sampleMax: number
  ) => Effect.Effect<SampleRange, PlatformError.PlatformError>
  /** Returns a short range as a data URL. */
  readonly dataUrl: (range: TimeRange) => Effect.Effect<string, PlatformError.PlatformError>
}

/** Checks a recording's file, without opening it yet. Fails if the file is missing or too short. */
export const open = Effect.fnUntraced(function* ({ path, sampleCount }: DecodedAudio) {
  const fs = yield* FileSystem.FileSystem
  const { size } = yield* fs.stat(path)
  if (size < BigInt(sampleCount * sampleBytes)) return yield* Effect.fail("ShorterThanPromised")

  const pcm = ({ from, to }: SampleRange) =>
    fs.stream(path, {
      offset: from * sampleBytes,
      bytesToRead: (to - from) * sampleBytes,
      chunkSize: chunkBytes
    })
  const wave = (piece: SampleRange) => {
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

/** Returns the first sample at or after a time. */
const sampleAt = (millis: number): number => Math.ceil((millis * sampleRate) / 1_000)

// Limits a piece's size and the wait for the response, for all providers. Pure.

/** Maximum upload size in bytes: OpenAI's limit, which other providers have copied. */
export const uploadBytesMax = 25_000_000

/** Minimum length of a piece, even if this length exceeds the provider's byte limit. */
const pieceSecondsMin = 5

/** Minimum length of a recording. Servers reject shorter audio, which is too short for a word. */
export const soundMillisMin = 100

/**
 * Time limit as a multiple of the audio's length, generous enough for a slow server, plus time for
 * the upload and startup.
 */
const timeoutFactor = 4
const startTimeout = Duration.seconds(90)
const sentBytesPerSecondMin = 32 * 1024

/** Minimum number of samples in a piece. */
export const samplesMin = pieceSecondsMin * sampleRate

/** Returns how long to wait for the response to a piece. */
export const answerTimeout = (sent: { readonly seconds: number; readonly bytes: number }) =>
  Duration.sum(
    startTimeout,
    Duration.seconds(sent.seconds * timeoutFactor + sent.bytes / sentBytesPerSecondMin)
  )
