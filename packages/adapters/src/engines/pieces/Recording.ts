/**
 * A file of decoded audio as it is uploaded: parts of it as WAV, streamed; short stretches of it in
 * memory, to look for silence and to show a voice.
 */
import { type DecodedAudio, sampleRate } from "@verbatim/core/transcription"
import { Effect, FileSystem, type PlatformError, Stream } from "effect"
import { type AudioPiece, quietest, searchFor } from "./AudioPieces.ts"
import { header, headerBytes, sampleBytes } from "./Wave.ts"

/** Bytes of one second. */
export const bytesPerSecond = sampleRate * sampleBytes

/** Small enough that many uploads at once stay small, large enough to cost little. */
const chunkBytes = 64 * 1024

/** A stretch of a recording, in milliseconds of the file. */
export interface Stretch {
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
  readonly dataUrl: (stretch: Stretch) => Effect.Effect<string, PlatformError.PlatformError>
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
    const search = searchFor(rest, sampleMax)
    if (search === undefined) return rest
    return { from, to: search.from + quietest(yield* bytesOf(pcm(search))) }
  })
  const dataUrl = Effect.fnUntraced(function* ({ endMillis, startMillis }: Stretch) {
    const piece = { from: sampleAt(startMillis), to: Math.min(sampleAt(endMillis), sampleCount) }
    const bytes = yield* bytesOf(wave(piece).content)
    return `data:audio/wav;base64,${bytes.toString("base64")}`
  })
  return { wave, next, dataUrl } satisfies Recording
})

/** The first sample at or after an instant. */
const sampleAt = (millis: number): number => Math.ceil((millis * sampleRate) / 1_000)
