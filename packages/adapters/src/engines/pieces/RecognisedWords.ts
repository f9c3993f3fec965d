/**
 * Reads the words in a response, from its top level or from its segments. whisper.cpp's segments
 * contain tokens, which are joined into words: a token that begins with a space begins a word.
 * Pure.
 */
import type { JsonView } from "./Json.ts"

// A server's result, with timestamps in seconds from the start of the piece.

/** A word as the server reports it, in seconds from the start of the piece. */
export interface RecognisedWord {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * A segment as the server reports it, not yet validated, in seconds from the start of the piece.
 */
export interface RecognisedSegment {
  readonly start: number
  readonly end: number
  readonly text: string
  /** Whether a space precedes the segment in the text of the piece, if known. */
  readonly hasSpaceBefore: boolean | undefined
  /** The server's own name for the speaker. */
  readonly speaker: string | undefined
  readonly words: ReadonlyArray<RecognisedWord>
}

/**
 * Matches whisper.cpp's marker tokens, which stand for timestamps and for the beginning of the
 * text.
 */
const marker = /^\s*\[_.*\]$/

const rawText = (word: JsonView): string =>
  (word.at("word").or(word.at("text")).text ?? "").toWellFormed().replace(/\p{Cc}+/gu, " ")

const readTokens = (list: JsonView): ReadonlyArray<RecognisedWord> => {
  let latest = 0
  return list.entries.flatMap((entry) => {
    const text = rawText(entry)
    if (text.trim() === "" || marker.test(text)) return []
    const start = entry.at("start").number ?? latest
    const end = entry.at("end").number ?? start
    latest = end
    return [{ start, end, text }]
  })
}

/** Whether any token of a response begins with a space. */
export const areSpaced = (segments: JsonView): boolean =>
  segments.entries.some((segment) =>
    segment.at("words").entries.some((token) => rawText(token).startsWith(" "))
  )

/** Scripts that are written without spaces between words. */
export const unspacedScript =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u

/** Describes how a segment's tokens relate to its words. */
type Tokens = "words" | "spaced" | "unspaced"

/**
 * Joins tokens into words. If no token begins with a space, each token is a word, as in Chinese. If
 * the response has spaces elsewhere, the segment is part of one word.
 */
const mergeTokens = (
  tokens: ReadonlyArray<RecognisedWord>,
  kind: Tokens
): ReadonlyArray<RecognisedWord> => {
  const isOneWord = kind === "spaced" && !tokens.some(({ text }) => unspacedScript.test(text))
  if (!isOneWord && !tokens.some(({ text }) => text.startsWith(" "))) return tokens
  const words: Array<RecognisedWord> = []
  for (const token of tokens) {
    const last = words.at(-1)
    if (last === undefined || token.text.startsWith(" ")) words.push(token)
    else words[words.length - 1] = { ...last, end: token.end, text: last.text + token.text }
  }
  return words
}

/** Returns a list's words, trimmed and in order. */
export const wordsFrom = (list: JsonView, kind: Tokens): ReadonlyArray<RecognisedWord> => {
  const words = kind === "words" ? readTokens(list) : mergeTokens(readTokens(list), kind)
  return words.map((word) => ({ ...word, text: word.text.trim() }))
}

/** Assigns top-level words to the segments in which they were spoken. */
export const assignWords = (
  segments: ReadonlyArray<RecognisedSegment>,
  words: ReadonlyArray<RecognisedWord>
): ReadonlyArray<RecognisedSegment> => {
  if (words.length === 0) return segments
  let next = 0
  return segments.map((segment, index) => {
    const following = segments[index + 1]?.start ?? Number.POSITIVE_INFINITY
    const from = next
    while (next < words.length && middle(words[next]) < following) next++
    const own = words.slice(from, next)
    return segment.words.length > 0 || own.length === 0 ? segment : { ...segment, words: own }
  })
}

const middle = (word: RecognisedWord | undefined): number =>
  word === undefined ? 0 : (word.start + word.end) / 2
