/**
 * Splits turns into words, so that subtitle lines can break between them. Words are separated by
 * spaces or, in a language without spaces, found with the dictionary of `Intl.Segmenter`.
 * Punctuation stays with its word.
 */
import { isSpaced } from "../transcription/Language.ts"
import type { Turn } from "./Turns.ts"

// White space is skipped by offset, because `trim` would make a copy of the text for every word.

/**
 * Returns the end of the white space that begins at an offset; the offset itself if there is none.
 */
export const spaceEnd = (text: string, from: number): number => {
  let end = from
  while (isSpace(text.charCodeAt(end))) end += 1
  return end
}

/**
 * Returns the start of the white space that ends at an offset; the offset itself if there is none.
 */
export const spaceStart = (text: string, to: number): number => {
  let start = to
  while (isSpace(text.charCodeAt(start - 1))) start -= 1
  return start
}

/**
 * Whether a character code is white space, as defined by `trim` and `\s`. Outside the text, the
 * code is NaN, which does not count as white space.
 */
const isSpace = (code: number): boolean => {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  // This shortcut is for Chinese and Japanese characters, which have higher codes. In these
  // languages, the function runs for every word.
  if (code > 0x3000) return code === 0xfeff
  return code >= 0xa0 && /\s/.test(String.fromCharCode(code))
}

/**
 * The offsets of a word with its punctuation. A token is never empty, and never only white space.
 */
export interface Token {
  readonly from: number
  readonly to: number
}

/**
 * The text to search for words: a whole turn, or a range of it that begins and ends at word
 * boundaries.
 */
interface Scope {
  readonly turn: Turn
  readonly language: string
  /** The range to visit if the language has spaces between words; by default, the whole turn. */
  readonly range?: Token
}

/**
 * Visits the words of a turn, in order. Only white space separates consecutive words. The words are
 * not collected in a list, because for the 240,000 words in ten hours of speech, the list would
 * cost as much as finding them.
 */
export const visitTokens = ({ language, range, turn }: Scope, visit: Visit): void => {
  if (isSpaced(language)) {
    visitSpaced(turn.text, range ?? { from: 0, to: turn.text.length }, visit)
  } else for (const chunk of chunks(turn)) visitUnspaced(chunk, visit)
}

/** A function that receives the start and the end of a word. */
export type Visit = (from: number, to: number) => void

/**
 * Matches a word up to the next space. A non-breaking space, or a space before punctuation as in
 * French, does not end the word.
 */
const word = /\S+(?:[\u00a0\u202f]\S+|\s[!?:;»]{1,3}(?!\S))*/gu

/** Punctuation that can belong to the word before the space. */
const marks = "!?:;»"

/** Whether a word begins at an offset, in text with spaces between words. */
export const isApart = (text: string, offset: number): boolean =>
  text[offset - 1] === " " && text[offset] !== " " && !marks.includes(text[offset] ?? " ")

const visitSpaced = (text: string, { from, to }: Token, visit: Visit): void => {
  for (let start = spaceEnd(text, from); start < to; ) {
    word.lastIndex = start
    if (!word.test(text)) return
    const end = word.lastIndex
    visit(start, end)
    start = spaceEnd(text, end)
  }
}

interface Chunk {
  readonly text: string
  readonly offset: number
}

/**
 * The minimum length of a chunk, which ends at the next start of a segment. A long chunk is slow in
 * older JavaScript engines, which take quadratic time: Node 20 took 12 ms for a chunk of 100 short
 * texts, and 487 ms for a chunk of 800.
 */
const chunkLength = 1000

const chunks = (turn: Turn): ReadonlyArray<Chunk> => {
  const done: Array<Chunk> = []
  let from = 0
  for (const to of [...turn.segmentOffsets, turn.text.length]) {
    if (to - from < chunkLength && to < turn.text.length) continue
    done.push({ text: turn.text.slice(from, to), offset: from })
    from = to
  }
  return done
}

/** The segmenter for words. It splits text by script, so one segmenter serves all languages. */
const segmenter = new Intl.Segmenter("en", { granularity: "word" })

const opening = /^[\p{Ps}\p{Pi}]/u

const visitUnspaced = ({ offset, text }: Chunk, visit: Visit): void => {
  let from = 0
  let to = 0
  /** Whether the last segmented part belongs to the text that follows. */
  let isOpening = true
  const visitOpen = () => {
    // The segmenter keeps a zero-width space with the word before it.
    const [start, end] = [spaceEnd(text, from), spaceStart(text, to)]
    if (end > start) visit(offset + start, offset + end)
  }
  for (const { index, isWordLike, segment } of segmenter.segment(text)) {
    const isWord = isWordLike === true
    const isSpace = !isWord && spaceEnd(segment, 0) === segment.length
    const isOpeningMark = !isWord && !isSpace && opening.test(segment)
    if (isSpace || (!isOpening && (isWord || isOpeningMark))) {
      visitOpen()
      from = index
    }
    to = index + segment.length
    if (isSpace) from = to
    isOpening = isSpace || isOpeningMark
  }
  visitOpen()
}

/**
 * Splits long text into parts that fit on a line: at spaces, or else between words, or else between
 * letters.
 */
export const parts = (text: string, isFitting: (part: string) => boolean): ReadonlyArray<Token> => {
  const done: Array<Token> = []
  const add = (from: number, part: string) => done.push({ from, to: from + part.length })
  for (const { 0: run, index: start } of text.matchAll(/\S+/gu)) {
    if (isFitting(run)) {
      add(start, run)
      continue
    }
    for (const { index, segment } of segmenter.segment(run)) {
      const from = start + index
      if (isFitting(segment)) add(from, segment)
      else for (const letter of graphemes.segment(segment)) add(from + letter.index, letter.segment)
    }
  }
  return done
}

/**
 * Finds characters as readers see them. A character with an accent, or an emoji, may consist of
 * several codes.
 */
export const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

// The timestamps for a range of a turn's text come from the engine's words, or are estimated from
// the segment's timestamps and characters.

/** The start and end of a range of text, in milliseconds. */
export interface TimeRange {
  readonly startMillis: number
  readonly endMillis: number
}

/** A function that returns the timestamps of a range in a turn's text. */
export type Clock = (from: number, to: number) => TimeRange

/**
 * Creates a function that returns the timestamps of ranges in a turn. The ranges must be passed in
 * ascending order, and none may end before it starts.
 */
export const clockOf = (turn: Turn): Clock => {
  let at = 0
  const nextOffset = () => turn.pieces[at + 1]?.offset ?? beyond
  let nextAt = nextOffset()
  const advance = () => {
    at += 1
    nextAt = nextOffset()
  }
  return (from, to) => {
    while (nextAt <= from) advance()
    const startMillis = millisAt(turn, { at, offset: from })
    while (nextAt < to) advance()
    return { startMillis, endMillis: Math.max(startMillis, millisAt(turn, { at, offset: to })) }
  }
}

/** Returns the part of a time range that lies between two fractions of its duration. */
export const within = (
  { endMillis, startMillis }: TimeRange,
  share: { readonly from: number; readonly to: number; readonly of: number }
): TimeRange => {
  const at = (offset: number) =>
    startMillis + Math.floor(((endMillis - startMillis) * offset) / share.of)
  return { startMillis: at(share.from), endMillis: at(share.to) }
}

/**
 * A value greater than every offset, which stands for the end of the text and so ends every search.
 */
const beyond = Number.POSITIVE_INFINITY

/** Returns the timestamp at an offset within a piece. The space after a piece has no duration. */
const millisAt = (
  { pieces, text }: Turn,
  { at, offset }: { readonly at: number; readonly offset: number }
): number => {
  const piece = pieces[at]
  if (piece === undefined) return 0
  const { endMillis, startMillis } = piece
  const read = offset - piece.offset
  const length = spaceStart(text, pieces[at + 1]?.offset ?? text.length) - piece.offset
  if (read <= 0 || length <= 0) return startMillis
  const millis = Math.max(0, endMillis - startMillis)
  return startMillis + (read >= length ? millis : Math.floor((millis * read) / length))
}
