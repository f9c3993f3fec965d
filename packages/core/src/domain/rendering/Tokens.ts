/**
 * Splits turns into words, so that subtitle lines can break between them. Words are separated by
 * spaces or, in a language without spaces, found with the dictionary of `Intl.Segmenter`.
 * Punctuation stays with its word.
 */
import { isSpaced } from "../transcription/Language.ts"
import type { Turn } from "./Turns.ts"

// Finds where white space ends without copying the text, because `trim` would make a copy for every
// word.

/**
 * Returns the end of the space that begins at an offset; the offset itself if there is no space.
 */
export const spaceEnd = (text: string, from: number): number => {
  let end = from
  while (isSpace(text.charCodeAt(end))) end += 1
  return end
}

/**
 * Returns the start of the space that ends at an offset; the offset itself if there is no space.
 */
export const spaceStart = (text: string, to: number): number => {
  let start = to
  while (isSpace(text.charCodeAt(start - 1))) start -= 1
  return start
}

/**
 * Whether a character code is white space, as defined by `trim` and `\s`. The code is NaN outside
 * the text; NaN does not count as white space.
 */
const isSpace = (code: number): boolean => {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  // A shortcut for Chinese and Japanese characters, which have higher codes: this function runs for
  // every word in these languages.
  if (code > 0x3000) return code === 0xfeff
  return code >= 0xa0 && /\s/.test(String.fromCharCode(code))
}

/**
 * A word with its punctuation, as offsets in a text. A token is never empty, and never only white
 * space.
 */
export interface Token {
  readonly from: number
  readonly to: number
}

/**
 * The words to visit: all words of a turn, or of a range that begins and ends at word boundaries.
 */
interface Scope {
  readonly turn: Turn
  readonly language: string
  /** The words in a range of text with spaces between words. */
  readonly range?: Token
}

/**
 * Visits the words of a turn, in order. Only white space separates consecutive words. A list of the
 * 240,000 words in ten hours of speech would cost as much as finding them.
 */
export const visitTokens = ({ language, range, turn }: Scope, visit: Visit): void => {
  if (isSpaced(language)) {
    visitSpaced(turn.text, range ?? { from: 0, to: turn.text.length }, visit)
  } else for (const chunk of chunks(turn)) visitUnspaced(chunk, visit)
}

/** Receives a word's start and end. */
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
 * A chunk ends before the first segment that begins after this length. A long chunk is slow in
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

/** The segmenter splits by script, so one segmenter serves all languages. */
const segmenter = new Intl.Segmenter("en", { granularity: "word" })

const opening = /^[\p{Ps}\p{Pi}]/u

const visitUnspaced = ({ offset, text }: Chunk, visit: Visit): void => {
  let from = 0
  let to = 0
  /** Whether the last part of the segmented text belongs to the text that follows. */
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

/** Finds characters as readers see them; an accent or an emoji may consist of several codes. */
export const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

// Timestamps for ranges of a turn's text: the engine's word timestamps, or estimates from the
// segment's timestamps and characters.

/** The start and end of a range of text, in milliseconds. */
export interface TimeRange {
  readonly startMillis: number
  readonly endMillis: number
}

/** Returns the timestamps of a range in a turn's text. */
export type Clock = (from: number, to: number) => TimeRange

/**
 * Creates a function that finds the timestamps of ranges in a turn. The ranges must be passed in
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

/** A sentinel beyond the end of every text, so that a search always ends. */
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
