/**
 * Where a line of subtitles may be broken: between words. Spaces separate them, or the dictionary
 * of `Intl.Segmenter` in a language without spaces; marks stay with the word they belong to.
 */
import { isSpaced } from "../transcription/Language.ts"
import type { Turn } from "./Turns.ts"

// Where space begins and ends in a text, without a copy of the text: `trim` would make one for
// every word.

/** Where the space that begins at an offset ends: the offset itself where there is none. */
export const spaceEnd = (text: string, from: number): number => {
  let end = from
  while (isSpace(text.charCodeAt(end))) end += 1
  return end
}

/** Where the space begins that ends at an offset: the offset itself where there is none. */
export const spaceStart = (text: string, to: number): number => {
  let start = to
  while (isSpace(text.charCodeAt(start - 1))) start -= 1
  return start
}

/** What `trim` removes and what `\s` matches. Past either end of a text is NaN: no space. */
const isSpace = (code: number): boolean => {
  if (code <= 0x20) return code === 0x20 || (code >= 0x09 && code <= 0x0d)
  // The scripts that write no spaces begin here, and are asked about each word.
  if (code > 0x3000) return code === 0xfeff
  return code >= 0xa0 && /\s/.test(String.fromCharCode(code))
}

/** A word and its marks: where it begins in a text and where it ends. Never empty or all space. */
export interface Token {
  readonly from: number
  readonly to: number
}

/** The words of a turn: of all of it, or of a stretch that begins and ends apart. */
interface Sought {
  readonly turn: Turn
  readonly language: string
  /** Only where spaces separate words. */
  readonly stretch?: Token
}

/**
 * Visits the words of a turn, in order. Between two of them there is nothing but space. A list of
 * the 240,000 words of ten hours would cost as much as finding them.
 */
export const visitTokens = ({ language, stretch, turn }: Sought, visit: Visit): void => {
  if (isSpaced(language)) {
    visitSpaced(turn.text, stretch ?? { from: 0, to: turn.text.length }, visit)
  } else for (const chunk of chunks(turn)) visitUnspaced(chunk, visit)
}

/** Takes a word by where it begins and where it ends. */
export type Visit = (from: number, to: number) => void

/** Up to a space; a non-breaking one, or one before a mark as in French, does not count. */
const word = /\S+(?:[\u00a0\u202f]\S+|\s[!?:;»]{1,3}(?!\S))*/gu

/** A mark that may belong to the word before the space before it. */
const marks = "!?:;»"

/** Whether a word begins at an offset of a text whose words are separated by spaces. */
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
 * Ends a chunk at the next segment. Older engines take time quadratic in the length of a text: Node
 * 20 took 12 ms for 100 short texts in one, 487 ms for 800.
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

/** By script, so that one serves all languages. */
const segmenter = new Intl.Segmenter("en", { granularity: "word" })

const opening = /^[\p{Ps}\p{Pi}]/u

const visitUnspaced = ({ offset, text }: Chunk, visit: Visit): void => {
  let from = 0
  let to = 0
  /** Whether what was read last belongs to what follows. */
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

/** A long text in parts that may stand alone: at spaces, at words, else between letters. */
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

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" })

// When a stretch of a turn's text was said: as the engine timed its words, else in proportion to
// the characters of the segment.

/** From when to when something is said. */
export interface Moment {
  readonly startMillis: number
  readonly endMillis: number
}

/** Tells when a stretch of a turn's text was said. */
export type Clock = (from: number, to: number) => Moment

/** The clock of a turn. It is asked for stretches that ascend; none ends before it starts. */
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

/** A part of a moment, between two shares of it. */
export const within = (
  { endMillis, startMillis }: Moment,
  share: { readonly from: number; readonly to: number; readonly of: number }
): Moment => {
  const at = (offset: number) =>
    startMillis + Math.floor(((endMillis - startMillis) * offset) / share.of)
  return { startMillis: at(share.from), endMillis: at(share.to) }
}

/** Past the end of every text, so that a search in one always ends. */
const beyond = Number.POSITIVE_INFINITY

/** When an offset within a piece is reached. The space behind a piece takes no time. */
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
