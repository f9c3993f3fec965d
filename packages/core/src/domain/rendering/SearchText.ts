/**
 * Converts transcripts to a searchable form: their distinct words, and their text in short passages
 * with timestamps. All stores write and read this form with the functions below, so that a query
 * finds the same transcripts in every store.
 */
import { Schema } from "effect"
import type { Transcript } from "../transcription/Transcript.ts"
import { fold, wordsOf } from "./SearchWords.ts"
import { markedSentenceStarts } from "./Sentences.ts"
import { seconds } from "./Timecode.ts"
import { clockOf, spaceEnd, spaceStart } from "./Tokens.ts"
import { type Turn, turns } from "./Turns.ts"

/** A transcript in its searchable form. */
export interface SearchText {
  /** The distinct words, as `wordsOf` returns them, separated by spaces. */
  readonly words: string
  /**
   * One line per passage: its start in milliseconds, the speaker's name (empty if generated) and
   * the text, separated by tabs.
   */
  readonly passages: string
}

/** A passage that matches a search. */
export interface Moment {
  readonly startMillis: number
  readonly text: string
}

/** A passage that matches a search, as the API returns it. */
export const Match = Schema.Struct({ start: Schema.String, text: Schema.String })
export type Match = typeof Match.Type

/** Converts a matching passage to its response form. */
export const toMatch = ({ startMillis, text }: Moment): Match => ({
  start: seconds(startMillis),
  text
})

/** Maximum number of characters that are searched in a transcript: about ten hours of speech. */
export const searchedLengthMax = 600_000

/**
 * Maximum length of a transcript's distinct words, in UTF-8 bytes. Postgres indexes at most a
 * megabyte of words. Ten hours of speech contain 60 kB of distinct words, or 400 kB in a script
 * without spaces.
 */
const wordBytesMax = 512 * 1024

/** Maximum length of a passage. A longer sentence is divided. */
const passageLengthMax = 200

/** Maximum number of passages that a search returns for each transcript. */
const momentMax = 3

/** Matches generated speaker names, which are not searched. */
const recognisedSpeaker = /^speaker_\d+$/

const nameOf = ({ speaker }: Turn): string => (recognisedSpeaker.test(speaker) ? "" : speaker)

/** Returns the end of the passage that begins at an offset in a sentence. */
const passageEnd = (text: string, from: number, to: number): number => {
  if (to - from <= passageLengthMax) return to
  const limit = from + passageLengthMax
  const space = text.lastIndexOf(" ", limit)
  if (space > from) return space
  // The passage ends one unit earlier if it would otherwise split a surrogate pair.
  return limit - (text.slice(limit - 1, limit).isWellFormed() ? 0 : 1)
}

/** Removes characters that a database cannot store. */
const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed()

/** Returns a turn's passages as lines, given the offsets at which its sentences begin. */
const linesOf = (turn: Turn, starts: ReadonlyArray<number>): ReadonlyArray<string> => {
  const { text } = turn
  const name = nameOf(turn)
  const clock = clockOf(turn)
  const lines: Array<string> = []
  for (const [index, start] of starts.entries()) {
    const end = spaceStart(text, starts[index + 1] ?? text.length)
    for (let from = start; from < end; ) {
      const to = passageEnd(text, from, end)
      lines.push(`${clock(from, to).startMillis}\t${name}\t${text.slice(from, to)}`)
      from = spaceEnd(text, to)
    }
  }
  return lines
}

/**
 * Creates a builder for the searchable form of a transcript, which is added part by part. A word
 * that begins in one part and continues in the next one is not found.
 */
export const makeSearchText = () => {
  const words = new Set<string>()
  const lines: Array<string> = []
  let wordBytes = 0
  let length = 0
  const addWords = (text: string) => {
    for (const word of wordsOf(fold(text))) {
      if (words.has(word)) continue
      // A UTF-16 unit takes at most three bytes, and an ASCII character one.
      wordBytes += /^[a-z0-9]+$/.test(word) ? word.length + 1 : 3 * word.length + 1
      if (wordBytes > wordBytesMax) return
      words.add(word)
    }
  }
  const isFull = () => length >= searchedLengthMax || wordBytes > wordBytesMax
  /** Adds the next part of the transcript. Returns whether more parts can be added. */
  const add = (part: Transcript): boolean => {
    const all = turns(part)
    const starts = markedSentenceStarts(all, part.language)
    for (const [index, turn] of all.entries()) {
      if (isFull()) break
      addWords(`${nameOf(turn)}\n${turn.text}`.slice(0, searchedLengthMax))
      for (const line of linesOf(turn, starts[index] ?? [0])) {
        if (length >= searchedLengthMax) break
        lines.push(storable(line))
        length += line.length
      }
    }
    return !isFull()
  }
  const build = (): SearchText => ({ words: [...words].join(" "), passages: lines.join("\n") })
  return { add, build }
}

/** Returns the searchable form of a whole transcript. */
export const toSearchText = (transcript: Transcript): SearchText => {
  const { add, build } = makeSearchText()
  add(transcript)
  return build()
}

const readMoment = (line: string): Moment => {
  const [start = "0"] = line.split("\t", 1)
  const text = line.slice(line.indexOf("\t", start.length + 1) + 1)
  return { startMillis: Number(start), text }
}

/** Counts how many words of the query a folded line contains after its timestamp. */
const countWords = (line: string, query: ReadonlyArray<string>): number => {
  // This shortcut saves time, because most lines contain none of the words, not even inside longer
  // words.
  if (!query.some((word) => line.includes(word))) return 0
  const found = new Set(wordsOf(line.slice(line.indexOf("\t"))))
  return query.filter((word) => found.has(word)).length
}

/**
 * Returns, in chronological order, up to three of the passages that contain the most words of a
 * query. Passages with fewer of its words are left out.
 */
export const findMoments = (
  passages: string,
  query: ReadonlyArray<string>
): ReadonlyArray<Moment> => {
  const lines = passages.split("\n")
  const folded = fold(passages).split("\n")
  let found: Array<string> = []
  let most = 1
  for (const [index, line] of lines.entries()) {
    if (found.length >= momentMax && most === query.length) break
    const count = countWords(folded[index] ?? "", query)
    if (count < most) continue
    if (count > most) found = []
    most = count
    if (found.length < momentMax) found.push(line)
  }
  return found.map(readMoment)
}
