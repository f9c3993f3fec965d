/**
 * Renders single words. Their timestamps come from the engine, or are estimated from each segment's
 * timestamps and characters.
 */
import { Schema } from "effect"
import { isSpaced } from "../transcription/Language.ts"
import type { Transcript } from "../transcription/Transcript.ts"
import { seconds } from "./Timecode.ts"
import { clockOf, isApart, spaceStart, visitTokens } from "./Tokens.ts"
import { type Turn, turns } from "./Turns.ts"

/** A word with its punctuation, as `word_json` contains it. */
const WordJsonEntry = Schema.Struct({
  start: Schema.String,
  end: Schema.String,
  speaker: Schema.String,
  text: Schema.String,
  /**
   * Present if the timestamps are estimated from those of the segment. They can be off by a few
   * words.
   */
  estimated: Schema.optionalKey(Schema.Literal(true))
})

/**
 * The body of `word_json`. Timestamps are seconds, written as strings. No word starts before the
 * previous one.
 */
export const WordJson = Schema.Struct({
  duration: Schema.String,
  language: Schema.String,
  list: Schema.Array(WordJsonEntry)
})
export type WordJson = typeof WordJson.Type

/**
 * Number of words that are serialised at once. Serialising all 240,000 at once took a third longer.
 */
const batchLength = 1_000

/** Renders a transcript as `word_json`. If there is no speech, the list is empty. */
export const wordJson = (transcript: Transcript): string => {
  const batches: Array<string> = []
  let batch: Array<typeof WordJsonEntry.Type> = []
  const close = () => {
    if (batch.length > 0) batches.push(JSON.stringify(batch).slice(1, -1))
    batch = []
  }
  visitTimedWords(transcript, ({ endMillis, isEstimated, speaker, startMillis, text }) => {
    const start = seconds(startMillis)
    const end = seconds(endMillis)
    batch.push(
      isEstimated ? { start, end, speaker, text, estimated: true } : { start, end, speaker, text }
    )
    if (batch.length === batchLength) close()
  })
  close()
  const duration = JSON.stringify(seconds(transcript.durationMillis))
  const language = JSON.stringify(transcript.language)
  return `{"duration":${duration},"language":${language},"list":[${batches.join(",")}]}`
}

/** A word of a transcript with its punctuation and timestamps. */
export interface TimedWord {
  readonly startMillis: number
  readonly endMillis: number
  readonly speaker: string
  readonly text: string
  /** Whether the timestamps are estimated from those of the segment. */
  readonly isEstimated: boolean
}

/** Visits the words of a transcript, in order. No word starts before the previous one. */
export const visitTimedWords = (transcript: Transcript, visit: (word: TimedWord) => void): void => {
  let latestMillis = 0
  for (const turn of turns(transcript)) {
    const { speaker } = turn
    const clock = clockOf(turn)
    const visitAll = turn.joints.length === 0 ? visitWords : visitJoinedWords
    visitAll(turn, transcript.language, (from, to, isEstimated) => {
      const text = turn.text.slice(from, to).trim()
      if (text === "") return
      const time = clock(from, to)
      latestMillis = Math.max(latestMillis, time.startMillis)
      const endMillis = Math.max(latestMillis, time.endMillis)
      visit({ startMillis: latestMillis, endMillis, speaker, text, isEstimated })
    })
  }
}

type VisitWord = (from: number, to: number, isEstimated: boolean) => void

/** Visits the words of a turn. If a segment boundary divides a word, its two parts are joined. */
const visitJoinedWords = (turn: Turn, language: string, visit: VisitWord): void => {
  const joints = new Set(turn.joints)
  let open = { from: 0, to: 0, isEstimated: false }
  const close = () => {
    if (open.to > 0) visit(open.from, open.to, open.isEstimated)
  }
  visitWords(turn, language, (from, to, isEstimated) => {
    if (joints.has(from)) {
      open = { from: open.from, to, isEstimated: open.isEstimated || isEstimated }
      return
    }
    close()
    open = { from, to, isEstimated }
  })
  close()
}

/**
 * Visits the words of a turn, in order: the engine's words, and those found in segments without
 * word timestamps. Only these segments are searched for words, because searching whole turns took
 * 1.5 times as long for a transcript with one corrected segment.
 */
const visitWords = (turn: Turn, language: string, visit: VisitWord): void => {
  const { pieces, text } = turn
  const endOf = (piece: number) => pieces[piece + 1]?.offset ?? text.length
  const mayBePart = isSpaced(language) ? isApart : () => false
  let first = 0
  let isTimed = true
  for (const [index, { isWord }] of pieces.entries()) {
    isTimed &&= isWord
    if (index + 1 < pieces.length && !mayBePart(text, endOf(index))) continue
    const run = { first, last: index }
    if (isTimed) visitTimed(turn, run, visit)
    else visitPartlyTimed(turn, { ...run, language }, visit)
    first = index + 1
    isTimed = true
  }
}

/** The first and the last piece of a range in a turn. */
interface Run {
  readonly first: number
  readonly last: number
}

/** Visits the words of a range in which the engine timed every word. */
const visitTimed = ({ pieces, text }: Turn, { first, last }: Run, visit: VisitWord): void => {
  for (let piece = first; piece <= last; piece++) {
    visit(pieces[piece]?.offset ?? 0, pieces[piece + 1]?.offset ?? text.length, false)
  }
}

/** Visits the words of a range in which some words are not timed. */
const visitPartlyTimed = (
  turn: Turn,
  { first, language, last }: Run & { readonly language: string },
  visit: VisitWord
): void => {
  const { pieces, text } = turn
  const endOf = (piece: number) => pieces[piece + 1]?.offset ?? text.length
  const range = { from: pieces[first]?.offset ?? 0, to: endOf(last) }
  let next = first
  visitTokens({ turn, language, range }, (from, to) => {
    while (endOf(next) <= from) next += 1
    for (let piece = pieces[next]; piece !== undefined && piece.offset < to; ) {
      const { isWord, offset } = piece
      const end = endOf(next)
      const isPart = from > offset || to < spaceStart(text, end)
      if (isWord) visit(offset, end, false)
      else visit(Math.max(from, offset), Math.min(to, end), isPart)
      // The next word may also be in this segment. A word that spans two segments is visited in two
      // parts.
      if (!isWord && end > to) return
      next += 1
      piece = pieces[next]
    }
  })
}
