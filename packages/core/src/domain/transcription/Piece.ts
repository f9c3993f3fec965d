/**
 * A recording is recognised in pieces of at most 30 s of speech, and each piece is stored as soon
 * as it is recognised. A new attempt resumes after the stored pieces.
 */
import { Result, Schema } from "effect"
import * as Base64 from "effect/encoding/Base64"
import { storable } from "../schema/StorableText.ts"
import { Millis, Segment, type Word } from "./Transcript.ts"
import type { Voiceprint } from "./Voiceprints.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/**
 * A segment of a piece. Timestamps count from the start of the piece. The name of the speaker is
 * valid only within the piece; it is missing if the engine named no speaker.
 */
export const PieceSegment = Schema.Struct({
  ...Segment.fields,
  speaker: Schema.optionalKey(Schema.String)
})
export type PieceSegment = typeof PieceSegment.Type

/** A voiceprint from a piece, as it is stored. Timestamps count from the start of the piece. */
const PieceVoiceprint = Schema.Struct({
  startMillis: Millis,
  endMillis: Millis,
  /** The vector, as signed bytes in base64. Only its direction matters. */
  vector: Schema.String
})

/** An engine's result for one piece. */
export const PieceResult = Schema.Struct({
  /**
   * The language, whether requested, reported by the engine or guessed. Missing if it is unknown.
   */
  language: Schema.optionalKey(Schema.String),
  /** The segments of the piece, in chronological order; empty if nothing was said. */
  segments: Schema.Array(PieceSegment),
  /** The voiceprints of the piece; missing if the engine provides none. */
  voiceprints: Schema.optionalKey(Schema.Array(PieceVoiceprint))
})
export type PieceResult = typeof PieceResult.Type

/** The cut of a recording into pieces, stored with the first piece for later attempts. */
export const StoredCut = Schema.Struct({
  /** Hex SHA-256 of the recording's samples and the settings that determine the pieces. */
  digest: Schema.String,
  /** The samples of each piece: from `from` up to, but not including, `to`. */
  ranges: Schema.Array(Schema.Struct({ from: Count, to: Count }))
})
export type StoredCut = typeof StoredCut.Type

/** A piece of a recording that was recognised. */
export const Piece = Schema.Struct({
  /** The index of the piece in the recording; the first is 0. */
  index: Count,
  startMillis: Millis,
  endMillis: Millis,
  /**
   * Hex SHA-256 of the piece's samples and everything else that determines the result: engine,
   * model, language and settings.
   */
  digest: Schema.String,
  result: PieceResult,
  /**
   * The ranges of all pieces of the recording. They are stored only with the first piece, and are
   * missing if the engine computes them in each attempt.
   */
  cut: Schema.optionalKey(StoredCut)
})
export type Piece = typeof Piece.Type

type TimedResult = Pick<Piece, "endMillis" | "result" | "startMillis">

/** Creates a function that converts timestamps within a piece to timestamps in the recording. */
const makeShift =
  ({ endMillis, startMillis }: TimedResult) =>
  <S extends { readonly startMillis: number; readonly endMillis: number }>(each: S) => ({
    ...each,
    startMillis: Math.min(startMillis + each.startMillis, endMillis),
    endMillis: Math.min(startMillis + each.endMillis, endMillis)
  })

/** Returns the segments of a piece, with timestamps from the start of the recording. */
export const placePiece = (piece: TimedResult): PieceResult["segments"] => {
  const shift = makeShift(piece)
  return piece.result.segments.map((segment) => ({
    ...shift(segment),
    ...(segment.words === undefined ? {} : { words: segment.words.map(shift) })
  }))
}

/** Decodes a vector; an unreadable one becomes empty. */
const toVector = (text: string): Float32Array => {
  const bytes = Result.getOrElse(Base64.decode(text), () => new Uint8Array())
  return Float32Array.from(new Int8Array(bytes))
}

/**
 * Returns the voiceprints of a piece, with timestamps from the start of the recording. A vector of
 * zeros is left out, because it resembles no voice and would count as another speaker.
 */
export const placeVoiceprints = (piece: TimedResult): ReadonlyArray<Voiceprint> => {
  const shift = makeShift(piece)
  const { voiceprints = [] } = piece.result
  return voiceprints
    .map(({ vector, ...range }) => ({ ...shift(range), vector: toVector(vector) }))
    .filter(({ vector }) => vector.some((each) => each !== 0))
}

/**
 * Creates a function that limits timestamps to the audio, in whole milliseconds. A range that ends
 * before it begins becomes empty.
 */
export const makeClamp = (durationMillis: number) => {
  // A value that is not a number counts as zero.
  const within = (millis: number) => Math.min(durationMillis, Math.max(0, Math.round(millis) || 0))
  return <S extends Omit<Word, "text">>(range: S): S => {
    const startMillis = within(range.startMillis)
    return { ...range, startMillis, endMillis: Math.max(startMillis, within(range.endMillis)) }
  }
}

/**
 * Maximum length of the name of a language or a speaker. It is limited because an engine may return
 * any text.
 */
const nameLengthMax = 100

/** Maximum length of a stored vector, in characters; known models need at most 1,024. */
const vectorLengthMax = 8_192

/**
 * Cleans a piece's result so that every store accepts it: the text becomes storable, and the
 * timestamps become ordered whole milliseconds within the piece.
 */
export const toStorable = (
  { language, segments, voiceprints }: PieceResult,
  durationMillis: number
): PieceResult => {
  const clamp = makeClamp(durationMillis)
  const clean = <S extends Word>(each: S): S => ({ ...clamp(each), text: storable(each.text) })
  return {
    ...(language === undefined ? {} : { language: storable(language, nameLengthMax) }),
    segments: segments
      .map((segment) => ({
        ...clean(segment),
        ...(segment.speaker === undefined
          ? {}
          : { speaker: storable(segment.speaker, nameLengthMax) }),
        ...(segment.words === undefined ? {} : { words: segment.words.map(clean) })
      }))
      .toSorted((one, other) => one.startMillis - other.startMillis),
    ...(voiceprints === undefined
      ? {}
      : {
          voiceprints: voiceprints.map((each) => ({
            ...clamp(each),
            vector: storable(each.vector, vectorLengthMax)
          }))
        })
  }
}

/** The progress of recognition, counted in pieces. */
export const PieceProgress = Schema.Struct({
  /**
   * A digest of the pieces' boundaries and of the settings. If it changes, recognition starts again
   * with the first piece.
   */
  plan: Schema.String,
  /** Number of pieces in the recording. */
  count: Count,
  /** Number of readable pieces: recognised, like all pieces before them. */
  ready: Count,
  /** The indexes of recognised pieces that are not readable yet, in ascending order. */
  ahead: Schema.Array(Count),
  /** Number of the job's pieces, under any plan, with results that came from the store. */
  reused: Count,
  /** The largest number of pieces that were ever recognised under one plan. */
  most: Count,
  /** Number of commits that stored a piece of the job, under any plan. */
  commits: Count,
  /** Total time that engines spent on the job's pieces, under any plan. */
  engineMillis: Millis
})
export type PieceProgress = typeof PieceProgress.Type

/** The fields of the event that records a recognised piece. */
export const recognisedFields = {
  plan: Schema.String,
  count: Count,
  index: Count,
  /** Whether the result was already stored, so that no engine was needed. */
  isReused: Schema.Boolean,
  /** Time that the engine took to recognise the piece. */
  engineMillis: Millis,
  /**
   * The index of the first piece that became readable; `readyTo` is the index after the last one.
   */
  readyFrom: Count,
  readyTo: Count
}

/** Returns the event that records a recognised piece. */
export const recognisedEvent = (before: PieceProgress | undefined, piece: CountedPiece) => {
  const after = countPiece(before, piece)
  const readyFrom = before?.plan === piece.plan ? before.ready : 0
  return { ...piece, readyFrom, readyTo: after.ready }
}

/** A recognised piece, with the plan that it belongs to. */
export interface PlannedPiece {
  readonly plan: string
  readonly count: number
  readonly index: number
}

/** A recognised piece, with the work that it took. */
export interface CountedPiece extends PlannedPiece {
  readonly isReused: boolean
  readonly engineMillis: number
}

/** Whether a piece of this plan is already counted. */
export const isCounted = (progress: PieceProgress | undefined, piece: PlannedPiece): boolean =>
  progress?.plan === piece.plan &&
  (piece.index < progress.ready || progress.ahead.includes(piece.index))

/** Counts one more recognised piece. If it was counted before, only the work is added. */
export const countPiece = (
  before: PieceProgress | undefined,
  piece: CountedPiece
): PieceProgress => {
  const { count, index, plan } = piece
  const work = {
    commits: (before?.commits ?? 0) + 1,
    reused: (before?.reused ?? 0) + (piece.isReused ? 1 : 0),
    engineMillis: (before?.engineMillis ?? 0) + piece.engineMillis
  }
  const known = before?.plan === plan ? before : { plan, count, ready: 0, ahead: [] }
  const most = before?.most ?? 0
  if (isCounted(before, piece)) return { ...known, ...work, most }
  const ahead = [...known.ahead, index].sort((one, other) => one - other)
  let ready = known.ready
  while (ahead[0] === ready) {
    ahead.shift()
    ready += 1
  }
  return { plan, count, ready, ahead, ...work, most: Math.max(most, ready + ahead.length) }
}

/** The work that a job's pieces took. */
export interface PieceWork {
  /** Number of pieces that an engine recognised. */
  readonly recognised: number
  /** Number of pieces with a result that came from the store. */
  readonly reused: number
  /** Total time that engines took to recognise the job's pieces. */
  readonly engineMillis: number
}

/** The work of a job without pieces. */
export const noPieceWork: PieceWork = { recognised: 0, reused: 0, engineMillis: 0 }

/** Returns the work that a job's pieces have taken up to a state of its transcription. */
export const toPieceWork = (state: {
  readonly _tag: string
  readonly pieces?: PieceProgress | undefined
}): PieceWork => {
  if (state.pieces === undefined) return noPieceWork
  const { commits, engineMillis, reused } = state.pieces
  return { recognised: commits - reused, reused, engineMillis }
}

/** Returns the number of recognised pieces. */
export const recognisedCount = ({ ahead, ready }: PieceProgress): number => ready + ahead.length
