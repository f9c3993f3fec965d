/**
 * Recognises a recording in pieces with an engine that reports timestamps in seconds within each
 * piece, and merges the results into one timeline with speakers named as in the specification.
 */
import {
  type Recognised,
  type Recognition,
  recogniseUnstored,
  type SampleRange,
  type TranscriberError
} from "@verbatim/core/ports"
import {
  type DecodedAudio,
  durationMillis,
  millisAt,
  type PieceResult,
  type PieceSegment,
  placePiece,
  type Segment,
  sampleRate,
  undetermined
} from "@verbatim/core/transcription"
import { Effect, type FileSystem } from "effect"
import { languageOf } from "../LanguageOfScript.ts"
import { toStorageError } from "../provider/ProviderFailure.ts"
import type { RecognisedSegment, RecognisedWord } from "./RecognisedWords.ts"
import { open, type Recording, soundMillisMin } from "./Recording.ts"
import type { PieceAnswer } from "./TranscriptionAnswer.ts"

/** A recognised piece of a recording. */
export interface RecognisedPiece {
  readonly startMillis: number
  readonly endMillis: number
  readonly result: PieceResult
}

/** Prefix of speaker names that are valid only within one piece. */
const newVoice = "new "

/**
 * Converts a response into the result for its piece. A speaker has the same name in all pieces if a
 * sample of the voice was sent.
 */
export const toPieceResult = (
  { language, segments }: PieceAnswer,
  { known, millis }: { readonly known: ReadonlySet<string>; readonly millis: number }
): PieceResult => {
  const sorted = segments.toSorted((one, other) => one.start - other.start)
  // It is known whether a space precedes a segment only if the segment still follows its original
  // neighbour.
  const isSorted = sorted.every((segment, at) => segment === segments[at])
  const within = (seconds: number) => Math.min(Math.max(Math.round(seconds * 1_000), 0), millis)
  let latest = 0
  const place = ({ end, hasSpaceBefore, speaker, start, text, words }: RecognisedSegment) => {
    const startMillis = Math.max(within(start), latest)
    const endMillis = Math.max(within(end), startMillis)
    latest = startMillis
    const placed = placeWords(words, { startMillis, endMillis, within })
    const name = speaker === undefined || known.has(speaker) ? speaker : `${newVoice}${speaker}`
    return {
      startMillis,
      endMillis,
      text,
      ...(name !== undefined && { speaker: name }),
      ...(isSorted && hasSpaceBefore !== undefined && { hasSpaceBefore }),
      ...(placed.length > 0 && { words: placed })
    }
  }
  return { ...(language !== undefined && { language }), segments: sorted.map(place) }
}

const placeWords = (
  words: ReadonlyArray<RecognisedWord>,
  segment: {
    readonly startMillis: number
    readonly endMillis: number
    readonly within: (seconds: number) => number
  }
) => {
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

/** Merges the segments of all pieces. */
export const segmentsOf = (
  pieces: ReadonlyArray<RecognisedPiece>,
  { isDiarized }: { readonly isDiarized: boolean }
): ReadonlyArray<Segment> => {
  const nameOf = makeSpeakerNames(isDiarized)
  return pieces.flatMap((piece, index) =>
    placePiece(piece).map((segment) => ({ ...segment, speaker: nameOf(segment, index) }))
  )
}

/**
 * Names speakers in order of appearance. A segment without a speaker belongs to the previous
 * speaker.
 */
const makeSpeakerNames = (isDiarized: boolean) => {
  const names = new Map<string, string>()
  let last: string | undefined
  const named = (label: string): string => {
    const name = names.get(label) ?? `speaker_${names.size}`
    names.set(label, name)
    return name
  }
  return ({ speaker }: PieceSegment, index: number): string => {
    if (!isDiarized) return "speaker_0"
    if (speaker === undefined) last ??= named("")
    else last = speaker.startsWith(newVoice) ? named(`${index} ${speaker}`) : speaker
    return last
  }
}

/** Cuts a recording at quiet points into pieces no longer than the given number of samples. */
const cutRecording = Effect.fnUntraced(function* (
  recording: Recording,
  { audio, sampleMax }: { readonly audio: DecodedAudio; readonly sampleMax: number }
) {
  const cut: Array<SampleRange> = []
  let from = durationMillis(audio) < soundMillisMin ? audio.sampleCount : 0
  while (from < audio.sampleCount) {
    const piece = yield* Effect.mapError(recording.next(from, sampleMax), toStorageError)
    cut.push(piece)
    from = piece.to
  }
  return cut
})

/**
 * Adds the requested language, or the language of the text's script if the engine reports none. The
 * text of a piece is read before the language of the recording is known.
 */
const withLanguage = (result: PieceResult, requested: Recognition["language"]): PieceResult => {
  const language = requested ?? result.language ?? languageOf([result])
  return language === undetermined ? result : { ...result, language }
}

/** Maximum number of samples in a piece in which the engine does not identify speakers: 30 s. */
export const pieceSamplesMax = 30 * sampleRate

/** Options for `recognisePieces`. */
export interface PieceOptions {
  readonly engine: string
  /** Any settings that affect a response, other than the audio, the engine and the request. */
  readonly settings: ReadonlyArray<unknown>
  /** Maximum number of samples in a piece. */
  readonly sampleMax: number
  /** Whether a piece depends on the pieces before it. */
  readonly isInContext?: boolean
  /** Maximum number of pieces that are recognised concurrently. */
  readonly atOnce?: number
  readonly recognisePiece: (
    recording: Recording,
    piece: SampleRange,
    before: ReadonlyArray<RecognisedPiece>
  ) => Effect.Effect<PieceResult, TranscriberError, FileSystem.FileSystem>
}

/**
 * Recognises a whole recording: cuts it at quiet points, recognises each piece, and merges the
 * results.
 */
export const recognisePieces = Effect.fnUntraced(function* (
  recognition: Recognition,
  { engine, recognisePiece, sampleMax, settings, ...plan }: PieceOptions
) {
  const { audio, onProgress, recognisePieces = recogniseUnstored, ...hints } = recognition
  const { isDiarized, language } = hints
  const context = yield* Effect.context<FileSystem.FileSystem>()
  const recording = yield* Effect.mapError(open(audio), toStorageError)
  const cut = yield* cutRecording(recording, { audio, sampleMax })
  const join = (results: ReadonlyArray<PieceResult>): ReadonlyArray<RecognisedPiece> =>
    results.flatMap((result, index) => {
      const { from, to } = cut[index] ?? { from: 0, to: 0 }
      return { startMillis: millisAt(from), endMillis: millisAt(to), result }
    })
  const results = yield* recognisePieces({
    ...plan,
    ...(onProgress === undefined ? {} : { onProgress }),
    cut,
    settings: JSON.stringify([engine, hints, ...settings]),
    recognise: (piece, before) =>
      recognisePiece(recording, piece, join(before)).pipe(
        Effect.map((result) => withLanguage(result, language)),
        Effect.provide(context)
      )
  })
  const recognised: Recognised = {
    engine,
    language: language ?? languageOf(results),
    segments: segmentsOf(join(results), { isDiarized })
  }
  return recognised
})
