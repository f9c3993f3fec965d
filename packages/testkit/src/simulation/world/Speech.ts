/**
 * Generates the sentences in a recording's pieces. Each one names its piece, the requested language
 * and, if pieces depend on each other, the number of sentences before the piece.
 */
import type { Recording } from "./Recording.ts"

/** Maximum length of a piece. */
const pieceMillisMax = 30_000

/** A piece's start and end. */
export interface PieceTimes {
  readonly startMillis: number
  readonly endMillis: number
}

export const cut = ({ durationMillis }: Recording): ReadonlyArray<PieceTimes> =>
  Array.from({ length: Math.ceil(durationMillis / pieceMillisMax) }, (_, index) => ({
    startMillis: index * pieceMillisMax,
    endMillis: Math.min((index + 1) * pieceMillisMax, durationMillis)
  }))

/** Index of the piece that kills every process, two thirds into the recording. */
export const lethalIndex = (recording: Recording): number =>
  Math.floor((cut(recording).length * 2) / 3)

/** Everything that determines a piece's result, except the recording. */
export interface PieceContext {
  readonly index: number
  /** The requested language, or null if the engine detects it. */
  readonly language: string | null
  /** Number of sentences before the piece, or null if the pieces are independent. */
  readonly before: number | null
}

/** Returns a piece's sentences, with timestamps relative to the piece's start. */
export const sentencesOf = (recording: Recording, { before, index, language }: PieceContext) => {
  const { endMillis, startMillis } = cut(recording)[index] ?? { startMillis: 0, endMillis: 0 }
  const millis = endMillis - startMillis
  // The second sentence begins after the first, even in a piece of one millisecond.
  const half = Math.ceil(millis / 2)
  const context = before === null ? "" : ` after ${before}`
  const text = (part: number) =>
    `This is ${recording.marker}, p${index}s${part} ${language ?? "any"}${context}.`
  return [
    { startMillis: 0, endMillis: half, speaker: "speaker_0", text: text(0) },
    { startMillis: half, endMillis: millis, speaker: "speaker_1", text: text(1) }
  ] as const
}

/** A sentence in a transcript. */
export interface Sentence extends PieceTimes {
  readonly speaker: string
  readonly text: string
}

const place = /p\d+s\d+ \w+(?: after \d+)?/

/** Formats sentences as lines without the parts that engines and stores may change. */
export const toLines = (sentences: ReadonlyArray<Sentence>): string =>
  sentences
    .map(({ endMillis, speaker, startMillis, text }) =>
      [startMillis, endMillis, speaker, place.exec(text)?.[0]].join(" ")
    )
    .join("\n")

/** The engine's mistakes in a piece. */
export interface Mistakes {
  readonly isPartial: boolean
  readonly isWrong: boolean
  /** Text that the engine appends, such as characters that stores treat differently. */
  readonly extra: string
}

/** State shared by the engines in all processes. */
export interface Hearings {
  /** The mistakes in each recognised piece. */
  readonly mistakes: Map<string, Mistakes>
  /** How often an engine has begun to recognise a recording in pieces. */
  attemptCount: number
}
