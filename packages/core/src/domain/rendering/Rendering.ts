/** The table of renderings of a transcript, and the renderings without speakers and times. */
import { Schema } from "effect"
import type { Segment, Transcript } from "../transcription/Transcript.ts"
import type { Modifier } from "../transcription/TranscriptionRequest.ts"
import { paragraphJson, paragraphText } from "./Paragraphs.ts"
import { srt, vtt } from "./SubtitleRendering.ts"
import { seconds } from "./Timecode.ts"
import { wholeText } from "./Turns.ts"
import { wordJson } from "./WordRendering.ts"

/** A rendered body and its content type. */
export interface Rendering {
  readonly contentType: string
  readonly body: string
}

/** The body of `plain_json`. */
export const PlainJson = Schema.Struct({
  duration: Schema.String,
  language: Schema.String,
  list: Schema.Array(Schema.Struct({ text: Schema.String }))
})
export type PlainJson = typeof PlainJson.Type

/** Returns the whole text, in order; empty if there is no speech. */
export const plainText = (transcript: Transcript): string => wholeText(transcript)

/** Returns the text as the only entry of the list. If there is no speech, the list is empty. */
export const plainJson = (transcript: Transcript): PlainJson => {
  const text = plainText(transcript)
  return {
    duration: seconds(transcript.durationMillis),
    language: transcript.language,
    list: text === "" ? [] : [{ text }]
  }
}

const json = "application/json"
const text = "text/plain; charset=utf-8"

interface Form {
  readonly contentType: string
  /** Whether the rendering shows the speakers. */
  readonly hasSpeakers: boolean
  readonly body: (transcript: Transcript) => string
}

const forms: Readonly<Record<Modifier, Form>> = {
  paragraph_json: {
    contentType: json,
    hasSpeakers: true,
    body: (transcript) => JSON.stringify(paragraphJson(transcript))
  },
  paragraph_text: { contentType: text, hasSpeakers: true, body: paragraphText },
  plain_text: { contentType: text, hasSpeakers: false, body: plainText },
  plain_json: {
    contentType: json,
    hasSpeakers: false,
    body: (transcript) => JSON.stringify(plainJson(transcript))
  },
  srt: { contentType: "application/x-subrip; charset=utf-8", hasSpeakers: true, body: srt },
  vtt: { contentType: "text/vtt; charset=utf-8", hasSpeakers: true, body: vtt },
  word_json: { contentType: json, hasSpeakers: true, body: wordJson }
}

/** Renders a transcript in linear time, with all its words in order. */
export const render = (modifier: Modifier, transcript: Transcript): Rendering => {
  const { body, contentType } = forms[modifier]
  return { contentType, body: body(transcript) }
}

/**
 * Returns the function that makes a rendering, and whether the rendering shows the speakers. If the
 * rendering does not show the speakers, their names need not be read.
 */
export const formOf = (modifier: Modifier) => ({
  hasSpeakers: forms[modifier].hasSpeakers,
  make: (transcript: Transcript): Rendering => render(modifier, transcript)
})

// The transcript as status JSON contains it: segment by segment, as the engine returned them.

/** The field `output`. Every value is a string, and times are in seconds. */
export const Output = Schema.Struct({
  duration: Schema.String,
  language: Schema.String,
  list: Schema.Array(
    Schema.Struct({
      start: Schema.String,
      end: Schema.String,
      speaker: Schema.String,
      text: Schema.String
    })
  )
})
export type Output = typeof Output.Type

/** Converts a segment to an entry of `output`. */
export const toOutputEntry = ({
  endMillis,
  speaker,
  startMillis,
  text
}: Segment): Output["list"][number] => ({
  start: seconds(startMillis),
  end: seconds(endMillis),
  speaker,
  text
})

/** Converts the transcript to `output`. If there is no speech, the list is empty. */
export const output = (transcript: Transcript): Output => ({
  duration: seconds(transcript.durationMillis),
  language: transcript.language,
  list: transcript.segments.map(toOutputEntry)
})
