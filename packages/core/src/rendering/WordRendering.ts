/**
 * The rendering by word: as the engine timed them, else each segment shared out by its characters.
 */
import { Schema } from "effect"
import type { Transcript } from "../transcription/Transcript.ts"
import { moments } from "./Moments.ts"
import { seconds } from "./Timecode.ts"
import { type Token, tokens } from "./Tokens.ts"
import { type Turn, turns } from "./Turns.ts"

/** One word. Its marks stay with it. */
const WordJsonEntry = Schema.Struct({
  start: Schema.String,
  end: Schema.String,
  speaker: Schema.String,
  text: Schema.String,
  /** Present where the times are a share of the segment's: they may be off by some words. */
  estimated: Schema.optionalKey(Schema.Literal(true))
})

/** The body of `word_json`. Times are strings of seconds; starts never run backwards. */
export const WordJson = Schema.Struct({
  duration: Schema.String,
  language: Schema.String,
  list: Schema.Array(WordJsonEntry)
})
export type WordJson = typeof WordJson.Type

/** The words as a JSON value. No speech gives an empty list. */
export const wordJson = (transcript: Transcript): WordJson => {
  const list: Array<typeof WordJsonEntry.Type> = []
  let latestMillis = 0
  for (const turn of turns(transcript)) {
    const found = stretches(turn, transcript.language)
    const times = moments(turn, found)
    for (const [index, { from, isEstimated, to }] of found.entries()) {
      const text = turn.text.slice(from, to).trim()
      if (text === "") continue
      const { endMillis = 0, startMillis = 0 } = times[index] ?? {}
      latestMillis = Math.max(latestMillis, startMillis)
      const start = seconds(latestMillis)
      const end = seconds(Math.max(latestMillis, endMillis))
      const { speaker } = turn
      list.push(
        isEstimated ? { start, end, speaker, text, estimated: true } : { start, end, speaker, text }
      )
    }
  }
  return {
    duration: seconds(transcript.durationMillis),
    language: transcript.language,
    list
  }
}

interface Stretch extends Token {
  readonly isEstimated: boolean
}

/** The words of the engine, and those that are found in its segments. */
const stretches = (turn: Turn, language: string): ReadonlyArray<Stretch> => {
  const { pieces, text } = turn
  const found = pieces.every(({ isWord }) => isWord) ? [] : tokens(turn, language)
  const done: Array<Stretch> = []
  let next = 0
  for (const [index, { isWord, offset }] of pieces.entries()) {
    const end = pieces[index + 1]?.offset ?? text.length
    if (isWord) {
      done.push({ from: offset, to: end, isEstimated: false })
      continue
    }
    const own: Array<Token> = []
    for (; next < found.length; next += 1) {
      const { from = end, to = end } = found[next] ?? {}
      if (from >= end) break
      if (to > offset) own.push({ from: Math.max(from, offset), to: Math.min(to, end) })
      // A word over two segments is read again with the second one.
      if (to > end) break
    }
    const isEstimated = own.length > 1
    for (const { from, to } of own) done.push({ from, to, isEstimated })
  }
  return done
}
