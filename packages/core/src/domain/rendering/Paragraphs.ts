/**
 * Groups sentences into paragraphs. A new paragraph begins when the speaker changes, after a
 * silence at the end of a sentence, or at the end of a sentence once the paragraph is long.
 */
import { Schema } from "effect"
import type { Transcript } from "../transcription/Transcript.ts"
import { join, type Sentence, sentences } from "./Sentences.ts"
import { clock, seconds } from "./Timecode.ts"

/** One or more consecutive sentences of one speaker. */
export interface Paragraph {
  readonly startMillis: number
  readonly speaker: string
  readonly sentences: ReadonlyArray<Sentence>
}

/** A new paragraph begins after a silence of at least this length between two sentences. */
const silenceMillis = 2000

/**
 * A paragraph ends with its first sentence that ends at least this long after the paragraph's
 * start.
 */
const lengthMillis = 60_000

/** Returns the paragraphs of a transcript, in order. */
export const paragraphs = (transcript: Transcript): ReadonlyArray<Paragraph> => {
  const done: Array<Paragraph> = []
  let open: Array<Sentence> = []
  for (const sentence of sentences(transcript)) {
    if (isEnded(open, sentence)) {
      done.push(...paragraphOf(open))
      open = []
    }
    open.push(sentence)
  }
  done.push(...paragraphOf(open))
  return done
}

/** Whether the open paragraph ends before the next sentence. */
const isEnded = (open: ReadonlyArray<Sentence>, next: Sentence): boolean => {
  const first = open.at(0)
  const last = open.at(-1)
  if (first === undefined || last === undefined) return false
  return (
    last.speaker !== next.speaker ||
    next.startMillis - last.endMillis >= silenceMillis ||
    last.endMillis - first.startMillis > lengthMillis
  )
}

/** Returns the sentences as one paragraph; none if there are no sentences. */
const paragraphOf = (sentences: ReadonlyArray<Sentence>): ReadonlyArray<Paragraph> => {
  const [first] = sentences
  if (first === undefined) return []
  return [{ startMillis: first.startMillis, speaker: first.speaker, sentences }]
}

// Two renderings have paragraphs: `paragraph_json`, with start times in seconds, and
// `paragraph_text`, with start times in hours, minutes and seconds.

/** The body of `paragraph_json`. Durations and start times are seconds, written as strings. */
export const ParagraphJson = Schema.Struct({
  duration: Schema.String,
  language: Schema.String,
  list: Schema.Array(
    Schema.Struct({
      start: Schema.String,
      speaker: Schema.String,
      text: Schema.String,
      sentences: Schema.Array(Schema.Struct({ start: Schema.String, text: Schema.String }))
    })
  )
})
export type ParagraphJson = typeof ParagraphJson.Type

/** Renders the paragraphs as JSON. If there is no speech, the list is empty. */
export const paragraphJson = (transcript: Transcript): ParagraphJson => ({
  duration: seconds(transcript.durationMillis),
  language: transcript.language,
  list: paragraphs(transcript).map(({ sentences, speaker, startMillis }) => ({
    start: seconds(startMillis),
    speaker,
    text: join(sentences),
    sentences: sentences.map(({ startMillis, text }) => ({ start: seconds(startMillis), text }))
  }))
})

/** Renders each paragraph as the line `H:MM:SS speaker`, the text and an empty line. */
export const paragraphText = (transcript: Transcript): string =>
  paragraphs(transcript)
    .map(
      ({ sentences, speaker, startMillis }) =>
        `${clock(startMillis)} ${speaker}\n${join(sentences)}\n\n`
    )
    .join("")
