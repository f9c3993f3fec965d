/** Converts a model's result for one piece to segments with times in the whole recording. Pure. */
import { leadingSpaces } from "../engines/LeadingSpaces.ts"
import { splitPhrases } from "../engines/pieces/Phrases.ts"
import { type Span, type SpokenSegment, type SpokenWord, sampleRate } from "./Protocol.ts"
import type { RecognitionResult } from "./Sherpa.ts"

/** Length of a word if the model reports only where it begins. */
const unknownWordMillis = 300

const wordBegins = /^[\s\u2581]/

const trimToken = (token: string): string => token.replaceAll("\u2581", " ").trim()

const millisOf = (samples: number): number => Math.round((samples * 1_000) / sampleRate)

/** Converts seconds within a piece to whole milliseconds of the recording, clamped to the piece. */
const clockOf = (piece: Span) => {
  const [first, last] = [millisOf(piece.start), millisOf(piece.end)]
  return (seconds: number): number =>
    Math.min(Math.max(first + Math.round(seconds * 1_000), first), last)
}

/** Returns the segments to which the model itself assigned times. */
const timedSegments = (result: RecognitionResult, piece: Span): ReadonlyArray<SpokenSegment> => {
  const clock = clockOf(piece)
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
const wordsOf = (result: RecognitionResult, piece: Span): ReadonlyArray<SpokenWord> => {
  const clock = clockOf(piece)
  const words: Array<SpokenWord> = []
  for (const [index, token] of result.tokens.entries()) {
    const start = result.timestamps[index] ?? 0
    const next = result.timestamps[index + 1] ?? Number.POSITIVE_INFINITY
    const own = result.durations?.[index] ?? Math.min(next - start, unknownWordMillis / 1_000)
    const endMillis = clock(start + own)
    const last = words.at(-1)
    if (last === undefined || wordBegins.test(token)) {
      words.push({ startMillis: clock(start), endMillis, text: trimToken(token) })
    } else {
      const text = last.text + trimToken(token)
      words[words.length - 1] = { ...last, endMillis: Math.max(last.endMillis, endMillis), text }
    }
  }
  return words.filter(({ text }) => text !== "")
}

const joinTokens = (words: ReadonlyArray<SpokenWord>): ReadonlyArray<SpokenSegment> => {
  const [first, last] = [words.at(0), words.at(-1)]
  if (first === undefined || last === undefined) return []
  const text = words.map((word) => word.text).join(" ")
  return [{ startMillis: first.startMillis, endMillis: last.endMillis, text, words }]
}

/** Groups words into segments. */
const segmentsOf = (words: ReadonlyArray<SpokenWord>): ReadonlyArray<SpokenSegment> =>
  // Segments are split between words, and each word begins with its space.
  splitPhrases(words)
    .flatMap(joinTokens)
    .map((segment, index) => (index === 0 ? segment : { ...segment, hasSpaceBefore: true }))

/** Returns a piece's segments in order of time, or none if there is no speech. */
export const toSegments = (
  result: RecognitionResult,
  piece: Span
): ReadonlyArray<SpokenSegment> => {
  const text = result.text.trim()
  if (text === "") return []
  const timed = timedSegments(result, piece).filter((segment) => segment.text !== "")
  if (timed.length > 0) return timed
  if (result.timestamps.length > 0) return segmentsOf(wordsOf(result, piece))
  return [{ startMillis: millisOf(piece.start), endMillis: millisOf(piece.end), text }]
}
