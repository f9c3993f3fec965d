/**
 * Merges the results of all pieces into one timeline. Times are whole milliseconds from the start
 * of the file, in order and within the audio; speakers are named as in the specification.
 */
import type { Recognised, Recognition, TranscriberError } from "@verbatim/core/ports"
import { durationMillis, type Segment, type Word } from "@verbatim/core/transcription"
import { Effect, type FileSystem } from "effect"
import { languageOf } from "../LanguageOfScript.ts"
import { toStorageError } from "../provider/ProviderFailure.ts"
import type { RecognisedSegment, RecognisedWord } from "./RecognisedWords.ts"
import { type AudioPiece, millisAt, open, type Recording, soundMillisMin } from "./Recording.ts"
import type { PieceResult } from "./TranscriptionAnswer.ts"

/** A piece and its result. */
export interface RecognisedPiece {
  readonly startMillis: number
  readonly endMillis: number
  readonly result: PieceResult
  /** The names of the speakers whose voice samples were sent. */
  readonly known: Known
}

type Known = ReadonlySet<string>

/** Merges the segments of all pieces. */
export const segmentsOf = (
  pieces: ReadonlyArray<RecognisedPiece>,
  { isDiarized }: { readonly isDiarized: boolean }
): ReadonlyArray<Segment> => {
  const nameOf = speakers(isDiarized)
  let latest = 0
  return pieces.flatMap((piece, index) => {
    const original = piece.result.segments
    const sorted = original.toSorted((one, other) => one.start - other.start)
    // Whether a space precedes a segment is known only relative to its original neighbour.
    const isSorted = sorted.every((segment, at) => segment === original[at])
    return sorted.map((segment) => {
      const { hasSpaceBefore } = segment
      const within = clampTo(piece)
      const startMillis = Math.max(within(segment.start), latest)
      const endMillis = Math.max(within(segment.end), startMillis)
      latest = startMillis
      const words = wordsOf(segment.words, { startMillis, endMillis, within })
      return {
        startMillis,
        endMillis,
        speaker: nameOf(segment, { index, known: piece.known }),
        text: segment.text,
        ...(isSorted && hasSpaceBefore !== undefined && { hasSpaceBefore }),
        ...(words.length > 0 && { words })
      }
    })
  })
}

/** Converts seconds within a piece to milliseconds within the file, clamped to the piece. */
const clampTo =
  ({ endMillis, startMillis }: RecognisedPiece) =>
  (seconds: number): number =>
    Math.min(Math.max(startMillis + Math.round(seconds * 1_000), startMillis), endMillis)

const wordsOf = (
  words: ReadonlyArray<RecognisedWord>,
  segment: {
    readonly startMillis: number
    readonly endMillis: number
    readonly within: (seconds: number) => number
  }
): ReadonlyArray<Word> => {
  let latest = segment.startMillis
  const placed = (seconds: number) => {
    latest = Math.min(Math.max(segment.within(seconds), latest), segment.endMillis)
    return latest
  }
  return words.map(({ end, start, text }) => {
    const startMillis = placed(start)
    return { startMillis, endMillis: placed(end), text }
  })
}

/**
 * Names speakers in order of appearance. A label is valid only within its piece, unless it is a
 * name that was sent. A segment without a label belongs to the previous speaker.
 */
const speakers = (isDiarized: boolean) => {
  const names = new Map<string, string>()
  let last: string | undefined
  const named = (label: string): string => {
    const name = names.get(label) ?? `speaker_${names.size}`
    names.set(label, name)
    return name
  }
  return (
    { speaker }: RecognisedSegment,
    { index, known }: { index: number; known: Known }
  ): string => {
    if (!isDiarized) return "speaker_0"
    if (speaker === undefined) last ??= named("")
    else last = known.has(speaker) ? speaker : named(`${index} ${speaker}`)
    return last
  }
}

/** Options of `recognisePieces`. */
export interface PieceOptions {
  readonly engine: string
  /** Maximum number of samples in a piece. */
  readonly sampleMax: number
  /** How many pieces are recognised concurrently. */
  readonly concurrency: number
  readonly recognisePiece: (
    recording: Recording,
    piece: AudioPiece,
    before: ReadonlyArray<RecognisedPiece>
  ) => Effect.Effect<
    Pick<RecognisedPiece, "result" | "known">,
    TranscriberError,
    FileSystem.FileSystem
  >
}

/**
 * Recognises a whole recording: cuts it at quiet points, recognises each piece, and merges the
 * results.
 */
export const recognisePieces = Effect.fnUntraced(function* (
  { audio, isDiarized, language, onProgress = () => Effect.void }: Recognition,
  { concurrency, engine, recognisePiece, sampleMax }: PieceOptions
) {
  const recording = yield* Effect.mapError(open(audio), toStorageError)
  const cuts: Array<AudioPiece> = []
  let from = durationMillis(audio) < soundMillisMin ? audio.sampleCount : 0
  while (from < audio.sampleCount) {
    const piece = yield* Effect.mapError(recording.next(from, sampleMax), toStorageError)
    cuts.push(piece)
    from = piece.to
  }
  const before: Array<RecognisedPiece> = []
  let done = 0
  const recogniseNext = Effect.fnUntraced(function* (piece: AudioPiece) {
    const result = yield* recognisePiece(recording, piece, before)
    const times = { startMillis: millisAt(piece.from), endMillis: millisAt(piece.to) }
    const placed: RecognisedPiece = { ...times, ...result }
    before.push(placed)
    done += piece.to - piece.from
    yield* onProgress(done / audio.sampleCount)
    return placed
  })
  const pieces = yield* Effect.forEach(cuts, recogniseNext, { concurrency })
  const recognised: Recognised = {
    engine,
    language: language ?? languageOf(pieces.map(({ result }) => result)),
    segments: segmentsOf(pieces, { isDiarized })
  }
  return recognised
})
