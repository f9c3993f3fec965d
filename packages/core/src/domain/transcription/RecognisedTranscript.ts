/**
 * Converts an engine's output, which can contain mistakes, to a transcript. In the transcript,
 * timestamps are in order and within the audio, speakers are numbered in order of appearance, the
 * language is an ISO 639 code, and every store accepts the text.
 */
import { storable } from "../schema/StorableText.ts"
import { isSpaced, languageCode } from "./Language.ts"
import { makeClamp, type Piece, placePiece } from "./Piece.ts"
import type { Segment, Transcript, Word } from "./Transcript.ts"

// An engine may report where spaces between segments are. They are kept only where they are still
// valid: a removed blank segment leaves a space, and sorting can separate two segments.

const isBlank = ({ text }: Segment): boolean => text.trim() === ""

/** Removes blank segments. A blank segment between `Hel` and `lo` separates them into two words. */
const leaveOutBlank = (segments: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  const kept: Array<Segment> = []
  let isSpacePassed = false
  for (const segment of segments) {
    if (isBlank(segment)) {
      isSpacePassed ||= segment.text !== "" || segment.hasSpaceBefore === true
      continue
    }
    const isParted = isSpacePassed && segment.hasSpaceBefore === false
    kept.push(isParted ? { ...segment, hasSpaceBefore: true } : segment)
    isSpacePassed = false
  }
  return kept
}

/**
 * Keeps the engine's spaces where they are still valid after sorting. A space reported by the
 * engine is valid only between segments that are still neighbours, and is kept only if it differs
 * from the language's rule.
 */
const keepSpaces = (
  language: string,
  { ordered, original }: Readonly<Record<"ordered" | "original", ReadonlyArray<Segment>>>
): ReadonlyArray<Segment> => {
  const usual = isSpaced(language)
  if (original.every(({ hasSpaceBefore = usual }) => hasSpaceBefore === usual)) {
    return ordered.map(({ hasSpaceBefore: _, ...segment }) => segment)
  }
  const before = new Map(original.map((segment, index) => [segment, original[index - 1]]))
  return ordered.map((segment, index) => {
    const { hasSpaceBefore = usual, ...others } = segment
    const isNeighbour = index > 0 && before.get(segment) === ordered[index - 1]
    return isNeighbour && hasSpaceBefore !== usual ? { ...others, hasSpaceBefore } : others
  })
}

/** The segments that an engine recognised in a recording. */
export interface EngineOutput {
  readonly recognised: Pick<Transcript, "language" | "segments">
  readonly durationMillis: number
  /** Whether to tell speakers apart; otherwise there is only one. */
  readonly isDiarized: boolean
}

/** Converts an engine's output to a transcript without blank segments. */
export const toTranscript = ({
  durationMillis,
  isDiarized,
  recognised
}: EngineOutput): Transcript => {
  const timed = makeClamp(durationMillis)
  const { segments } = recognised
  const language = languageCode(recognised.language)
  const original = leaveOutBlank(segments).map(timed)
  const said = keepSpaces(language, { original, ordered: inOrder(original) })
  const speakerOf = isDiarized ? makeNumbering() : () => speaker(0)
  return {
    durationMillis,
    language,
    segments: said.map((segment) => ({
      ...segment,
      speaker: speakerOf(segment.speaker),
      text: storable(segment.text),
      ...(segment.words === undefined ? {} : { words: inOrder(segment.words.map(wordOf(timed))) })
    }))
  }
}

/** Returns the text of consecutive pieces, before the speakers are told apart. */
export const toPartialTranscript = (pieces: ReadonlyArray<Piece>): Transcript => {
  const language = pieces.find(({ result }) => result.language !== undefined)?.result.language ?? ""
  const segments = pieces.flatMap(placePiece).map((segment) => ({ ...segment, speaker: "" }))
  return toTranscript({
    recognised: { language, segments },
    durationMillis: pieces.at(-1)?.endMillis ?? 0,
    isDiarized: false
  })
}

type TimeRange = Pick<Segment, "startMillis" | "endMillis">

const wordOf =
  (timed: (word: Word) => Word) =>
  (word: Word): Word => ({ ...timed(word), text: storable(word.text) })

/** Sorts by start. Ranges that begin at the same time keep their order. */
const inOrder = <S extends TimeRange>(ranges: ReadonlyArray<S>): ReadonlyArray<S> =>
  ranges.toSorted((one, other) => one.startMillis - other.startMillis)

const speaker = (number: number) => `speaker_${number}`

/** Creates a function that numbers speakers in order of their first appearance. */
const makeNumbering = () => {
  const names = new Map<string, string>()
  return (name: string): string => {
    const known = names.get(name) ?? speaker(names.size)
    names.set(name, known)
    return known
  }
}
