/**
 * Finds the sentences of a transcript by the rules of its language. If the text has no sentence
 * marks, each segment counts as a sentence. All text is read only once, from beginning to end.
 */
import { isLanguage } from "../transcription/Language.ts"
import type { Transcript } from "../transcription/Transcript.ts"
import { type Turn, turns } from "./Turns.ts"

/**
 * A sentence by one speaker. No sentence starts before the previous one starts, and none ends
 * before its own start.
 */
export interface Sentence {
  readonly startMillis: number
  readonly endMillis: number
  readonly speaker: string
  /** The trimmed text, which is never empty. */
  readonly text: string
  /** The gap before the next sentence: a space, or nothing. */
  readonly gap: string
}

/**
 * Returns the sentences of a transcript, in order. The sentences and their gaps together are the
 * whole text.
 */
export const sentences = (transcript: Transcript): ReadonlyArray<Sentence> => {
  const all = turns(transcript)
  const offsets = sentenceOffsets(all, transcript.language)
  const found: Array<Sentence> = []
  let latestMillis = 0
  for (const [index, turn] of all.entries()) {
    for (const span of spans(turn, offsets[index] ?? [])) {
      const written = turn.text.slice(span.from, span.to)
      const text = written.trim()
      // When speech overlaps, a segment can begin earlier than the previous one.
      latestMillis = Math.max(latestMillis, span.startMillis)
      found.push({
        startMillis: latestMillis,
        endMillis: Math.max(latestMillis, span.endMillis),
        speaker: turn.speaker,
        text,
        gap:
          span.to === turn.text.length
            ? (all[index + 1]?.gap ?? "")
            : written.length > text.length
              ? " "
              : ""
      })
    }
  }
  return found
}

/** Joins the sentences into one text. */
export const join = (parts: ReadonlyArray<Sentence>): string =>
  parts
    .flatMap(({ gap, text }) => [text, gap])
    .join("")
    .trimEnd()

/**
 * A value greater than every offset, which stands for the end of the list and so ends every search.
 */
const beyond = Number.POSITIVE_INFINITY

/** A part of a turn's text, with the start of its first word or segment and the end of its last. */
interface Span {
  readonly from: number
  readonly to: number
  readonly startMillis: number
  readonly endMillis: number
}

/** Splits a turn's text at the given offsets, which ascend from 0. */
const spans = (turn: Turn, starts: ReadonlyArray<number>): ReadonlyArray<Span> => {
  const offsetOf = (piece: number) => turn.pieces[piece]?.offset ?? beyond
  let piece = 0
  return starts.map((from, index) => {
    const to = starts[index + 1] ?? turn.text.length
    while (offsetOf(piece + 1) <= from) piece += 1
    const startMillis = turn.pieces[piece]?.startMillis ?? 0
    while (offsetOf(piece + 1) < to) piece += 1
    return { from, to, startMillis, endMillis: turn.pieces[piece]?.endMillis ?? startMillis }
  })
}

/**
 * Text that is appended to each turn. It becomes a sentence of its own only if the turn ends with a
 * complete sentence.
 */
const probe = " A"

/**
 * The paragraph separator, which ends every sentence. `Turns` removes this character from the text.
 */
const separator = "\u2029"

/** Returns the offsets at which the sentences of each turn begin. */
const sentenceOffsets = (
  all: ReadonlyArray<Turn>,
  language: string
): ReadonlyArray<ReadonlyArray<number>> =>
  probedStarts(all, language).map((found, index) => {
    const turn = all[index]
    if (turn === undefined) return []
    return found.length === 1 ? turn.segmentOffsets : withSegments(turn, withoutProbe(turn, found))
  })

/**
 * Returns the offsets at which the sentences of each turn begin, based only on punctuation. The
 * first offset is 0.
 */
export const markedSentenceStarts = (
  all: ReadonlyArray<Turn>,
  language: string
): ReadonlyArray<ReadonlyArray<number>> =>
  probedStarts(all, language).map((found, index) => {
    const turn = all[index]
    return turn === undefined ? [] : withoutProbe(turn, found)
  })

/**
 * Returns the offsets at which sentences begin, in each turn and in the probe appended to it. All
 * turns are segmented in one call. With one call per turn, `paragraph_json` took 124 ms instead of
 * 73 ms for 12,000 turns (ten hours).
 */
const probedStarts = (
  all: ReadonlyArray<Turn>,
  language: string
): ReadonlyArray<ReadonlyArray<number>> => {
  const text = all.map((turn) => turn.text + probe).join(separator)
  const breaks = Array.from(segmenterOf(language).segment(text), ({ index }) => index)
  const breakAt = (index: number) => breaks[index] ?? beyond
  let next = 0
  let start = 0
  return all.map((turn) => {
    const end = start + turn.text.length + probe.length
    const found: Array<number> = []
    for (; breakAt(next) < end; next += 1) found.push(breakAt(next) - start)
    start = end + separator.length
    return found
  })
}

const withoutProbe = (turn: Turn, found: ReadonlyArray<number>): ReadonlyArray<number> => {
  const isEnded = found.at(-1) === turn.text.length + probe.indexOf("A")
  return isEnded ? found.slice(0, -1) : found
}

/**
 * Maximum duration of a sentence. If a sentence seems to last longer than three minutes, sentence
 * marks are missing, as in an hour of Thai with a single question mark. Each segment then counts as
 * a sentence.
 */
const sentenceMillisMax = 180_000

/** Divides each sentence that is longer than the maximum at the segments within it. */
const withSegments = (turn: Turn, starts: ReadonlyArray<number>): ReadonlyArray<number> => {
  const segmentAt = (index: number) => turn.segmentOffsets[index] ?? beyond
  const all: Array<number> = []
  let segment = 0
  for (const { endMillis, from, startMillis, to } of spans(turn, starts)) {
    all.push(from)
    while (segmentAt(segment) <= from) segment += 1
    if (endMillis - startMillis <= sentenceMillisMax) continue
    for (; segmentAt(segment) < to; segment += 1) all.push(segmentAt(segment))
  }
  return all
}

/**
 * A cache with a segmenter for each accepted language code, because creating a segmenter costs more
 * than using it.
 */
const segmenters = new Map<string, Intl.Segmenter>()

/**
 * The language with the rules that apply if a language code is not accepted, or if the JavaScript
 * engine does not support the language.
 */
const general = "en"

const segmenterOf = (language: string): Intl.Segmenter => {
  const locale = isLanguage(language) ? language : general
  const kept = segmenters.get(locale)
  if (kept !== undefined) return kept
  const made = new Intl.Segmenter([locale, general], { granularity: "sentence" })
  segmenters.set(locale, made)
  return made
}
