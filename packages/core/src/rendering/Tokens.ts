/**
 * Where a line of subtitles may be broken: between words. Spaces part them, or the dictionary of
 * `Intl.Segmenter` where a language has none; marks stay with the word they belong to.
 */
import { isSpaced } from "../transcription/Language.ts"
import type { Turn } from "./Turns.ts"

/** A word and its marks: where it begins in a text and where it ends. Never empty or all space. */
export interface Token {
  readonly from: number
  readonly to: number
}

/** The words of a turn, in order. Between two of them there is nothing but space. */
export const tokens = (turn: Turn, language: string): ReadonlyArray<Token> =>
  isSpaced(language) ? spaced(turn.text) : chunks(turn).flatMap(unspaced)

/** Up to a space; one that must not break, or one before a mark as in French, is none. */
const word = /\S+(?:[\u00a0\u202f]\S+|\s[!?:;»]{1,3}(?!\S))*/gu

const spaced = (text: string): ReadonlyArray<Token> =>
  Array.from(text.matchAll(word), (match) => ({
    from: match.index,
    to: match.index + match[0].length
  }))

interface Chunk {
  readonly text: string
  readonly offset: number
}

/**
 * Ends a chunk at the next segment. Older engines need time by the square of a text's length: Node
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

const space = /^\s+$/u
const opening = /^[\p{Ps}\p{Pi}]/u

const unspaced = ({ offset, text }: Chunk): ReadonlyArray<Token> => {
  const done: Array<Token> = []
  let from = offset
  let to = offset
  /** Whether what was read last belongs to what follows. */
  let isOpening = true
  for (const { index, isWordLike, segment } of segmenter.segment(text)) {
    const at = offset + index
    const isSpace = space.test(segment)
    const isBeginning = isSpace || isWordLike === true || opening.test(segment)
    if (isBeginning && !isOpening && to > from) {
      done.push({ from, to })
      from = at
    }
    if (isSpace) {
      if (to > from) done.push({ from, to })
      from = at + segment.length
      to = from
      isOpening = true
    } else {
      to = at + segment.length
      isOpening = isWordLike !== true && opening.test(segment)
    }
  }
  if (to > from) done.push({ from, to })
  return done
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
