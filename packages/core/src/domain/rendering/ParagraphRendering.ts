/**
 * Renderings by paragraph. `paragraph_json` gives start times in seconds; `paragraph_text` gives
 * them in hours, minutes and seconds.
 */
import { Schema } from "effect"
import type { Transcript } from "../transcription/Transcript.ts"
import { paragraphs } from "./Paragraphs.ts"
import * as Sentences from "./Sentences.ts"
import { clock, seconds } from "./Timecode.ts"

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
    text: Sentences.join(sentences),
    sentences: sentences.map(({ startMillis, text }) => ({ start: seconds(startMillis), text }))
  }))
})

/** Renders each paragraph as a line `H:MM:SS speaker`, the text, and an empty line. */
export const paragraphText = (transcript: Transcript): string =>
  paragraphs(transcript)
    .map(
      ({ sentences, speaker, startMillis }) =>
        `${clock(startMillis)} ${speaker}\n${Sentences.join(sentences)}\n\n`
    )
    .join("")
