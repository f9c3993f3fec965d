/** Converts a model's result for one piece to segments with timestamps within the piece. Pure. */
import type { PieceSegment, Word } from "@verbatim/core/transcription"
import { leadingSpaces } from "../engines/LeadingSpaces.ts"
import { splitPhrases } from "../engines/pieces/Phrases.ts"
import type { RecognitionResult } from "./Sherpa.ts"

/** Assumed length of a word if the model reports only the word's start. */
const unknownWordMillis = 300

const hasSpace = (token: string): boolean => /^[\s\u2581]/.test(token)

/** Whether a token begins in a script without spaces, where each character counts as a word. */
const isCharacter = (token: string): boolean =>
  /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana})/u.test(token)

/** A word, and whether a space precedes the word. */
type SpacedWord = Word & { readonly hasSpace: boolean }

const trimToken = (token: string): string => token.replaceAll("\u2581", " ").trim()

/** Converts seconds to whole milliseconds, clamped to the piece. */
const clockOf =
  (pieceMillis: number) =>
  (seconds: number): number =>
    Math.min(Math.max(Math.round(seconds * 1_000), 0), pieceMillis)

/** Returns the segments that the model itself timed. */
const timedSegments = (
  result: RecognitionResult,
  pieceMillis: number
): ReadonlyArray<PieceSegment> => {
  const clock = clockOf(pieceMillis)
  const starts = result.segment_timestamps ?? []
  const durations = result.segment_durations ?? []
  const texts = result.segment_texts ?? []
  const spaces = leadingSpaces(texts)
  return texts.map((text, index) => {
    const start = starts[index] ?? 0
    const hasSpaceBefore = spaces[index]
    return {
      startMillis: clock(start),
      endMillis: clock(start + (durations[index] ?? 0)),
      text: text.trim(),
      ...(hasSpaceBefore !== undefined && { hasSpaceBefore })
    }
  })
}

/** Joins tokens into words: a token that begins with a space begins a word. */
export const wordsOf = (
  result: RecognitionResult,
  pieceMillis: number
): ReadonlyArray<SpacedWord> => {
  const clock = clockOf(pieceMillis)
  const words: Array<SpacedWord> = []
  for (const [index, token] of result.tokens.entries()) {
    const start = result.timestamps[index] ?? 0
    const next = result.timestamps[index + 1] ?? Number.POSITIVE_INFINITY
    const own = result.durations?.[index] ?? Math.min(next - start, unknownWordMillis / 1_000)
    const endMillis = clock(start + own)
    const last = words.at(-1)
    if (last === undefined || hasSpace(token) || isCharacter(token)) {
      const word = { startMillis: clock(start), endMillis, text: trimToken(token) }
      words.push({ ...word, hasSpace: hasSpace(token) })
    } else {
      const text = last.text + trimToken(token)
      words[words.length - 1] = { ...last, endMillis: Math.max(last.endMillis, endMillis), text }
    }
  }
  return words.filter(({ text }) => text !== "")
}

const joinWords = (words: ReadonlyArray<SpacedWord>): ReadonlyArray<PieceSegment> => {
  const [first, last] = [words.at(0), words.at(-1)]
  if (first === undefined || last === undefined) return []
  const text = words.map((word) => (word.hasSpace ? ` ${word.text}` : word.text)).join("")
  const { endMillis } = last
  const { hasSpace: hasSpaceBefore, startMillis } = first
  const timed = words.map(({ hasSpace: _, ...word }) => word)
  return [{ startMillis, endMillis, text: text.trim(), words: timed, hasSpaceBefore }]
}

/** Groups words into segments. */
export const segmentsOf = (words: ReadonlyArray<SpacedWord>): ReadonlyArray<PieceSegment> =>
  splitPhrases(words)
    .flatMap(joinWords)
    // Whether a space precedes the first segment is unknown, because there is no earlier text.
    .map(({ hasSpaceBefore, ...segment }, index) =>
      index === 0 || hasSpaceBefore === undefined ? segment : { ...segment, hasSpaceBefore }
    )

const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, "")

/**
 * Adds words to segments with timestamps, clamped to their segment. Adds none if the words do not
 * spell the segments' text: a word can continue in the next segment, and Whisper splits rare
 * characters into several tokens.
 */
const addWords = (
  segments: ReadonlyArray<PieceSegment>,
  words: ReadonlyArray<SpacedWord>
): ReadonlyArray<PieceSegment> => {
  let from = 0
  const timed: Array<PieceSegment> = []
  for (const segment of segments) {
    const whole = withoutSpaces(segment.text)
    const clamp = (millis: number) =>
      Math.min(Math.max(millis, segment.startMillis), segment.endMillis)
    const own: Array<Word> = []
    let spelt = ""
    for (; spelt.length < whole.length && from < words.length; from++) {
      const { endMillis = 0, startMillis = 0, text = "" } = words[from] ?? {}
      own.push({ startMillis: clamp(startMillis), endMillis: clamp(endMillis), text })
      spelt += withoutSpaces(text)
    }
    if (spelt !== whole) return segments
    timed.push({ ...segment, words: own })
  }
  return timed
}

/** Returns a piece's segments in chronological order, or none if there is no speech. */
export const toSegments = (
  result: RecognitionResult,
  pieceMillis: number
): ReadonlyArray<PieceSegment> => {
  const text = result.text.trim()
  if (text === "") return []
  const timed = timedSegments(result, pieceMillis).filter((segment) => segment.text !== "")
  const words = result.timestamps.length > 0 ? wordsOf(result, pieceMillis) : []
  if (timed.length > 0) return words.length > 0 ? addWords(timed, words) : timed
  if (words.length > 0) return segmentsOf(words)
  return [{ startMillis: 0, endMillis: pieceMillis, text }]
}
