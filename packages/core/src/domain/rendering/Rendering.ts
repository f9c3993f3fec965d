/**
 * Renders transcripts: the table of all renderings, the subtitle files, and the renderings without
 * speakers and timestamps. Every player reads SubRip (`srt`); browsers read WebVTT (`vtt`), which
 * names the speakers.
 */
import { Schema } from "effect"
import type { Segment, Transcript } from "../transcription/Transcript.ts"
import type { Modifier } from "../transcription/TranscriptionRequest.ts"
import { type Cue, cues } from "./Cues.ts"
import { paragraphJson, paragraphText } from "./Paragraphs.ts"
import { seconds, timecode } from "./Timecode.ts"
import { wholeText } from "./Turns.ts"
import { wordJson } from "./WordRendering.ts"

/** Renders a transcript as `srt`. If there is no speech, the body is empty. */
export const srt = (transcript: Transcript): string =>
  cues(transcript)
    .map((cue, index) => {
      const lines = cue.lines.map(plain).join("\n")
      return `${index + 1}\n${times(cue, ",")}\n${lines}\n\n`
    })
    .join("")

/**
 * Renders a transcript as `vtt` (W3C, WebVTT). If there is no speech, the body is only the first
 * line.
 */
export const vtt = (transcript: Transcript): string => {
  const written = cues(transcript).map((cue) => {
    const lines = cue.lines.map(escapeText).join("\n")
    return `\n${times(cue, ".")}\n${voice(cue.speaker)}${lines}\n`
  })
  return `WEBVTT\n${written.join("")}`
}

const times = ({ endMillis, startMillis }: Cue, mark: "." | ","): string =>
  `${timecode(startMillis, mark)} --> ${timecode(endMillis, mark)}`

/**
 * Returns the start tag of the speaker's voice span. An end tag is not needed, because the span
 * covers the whole cue. Speakers without a name have no voice span.
 */
const voice = (speaker: string): string => {
  const name = escapeText(speaker.replace(/\s+/gu, " ").trim())
  return name === "" ? "" : `<v ${name}>`
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\0": "\ufffd"
}

/** WebVTT does not allow NUL, and its parsers read it as U+FFFD. */
const special = /[&<>\0]/g

const escapeText = (text: string): string => text.replace(special, (found) => entities[found] ?? "")

/**
 * Matches text that a SubRip player would take for a timestamp or a tag. The format has no escapes.
 */
const command = /--(?=>)|<(?=[/a-z])|\{(?=\\|[a-z]:)/gi

/** Inserts a space, which removes the special meaning but keeps every character. */
const plain = (text: string): string => text.replace(command, "$& ")

/** A rendered body and its content type. */
export interface Rendering {
  readonly contentType: string
  readonly body: string
}

/** The JSON body of the rendering `plain_json`. */
export const PlainJson = Schema.Struct({
  duration: Schema.String,
  language: Schema.String,
  list: Schema.Array(Schema.Struct({ text: Schema.String }))
})
export type PlainJson = typeof PlainJson.Type

/** Returns the whole text of a transcript; empty if there is no speech. */
export const plainText = (transcript: Transcript): string => wholeText(transcript)

/**
 * Returns the whole text as the only entry in the list. If there is no speech, the list is empty.
 */
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

type Form = readonly [contentType: string, toBody: (transcript: Transcript) => string]

const forms: Readonly<Record<Modifier, Form>> = {
  paragraph_json: [json, (transcript) => JSON.stringify(paragraphJson(transcript))],
  paragraph_text: [text, paragraphText],
  plain_text: [text, plainText],
  plain_json: [json, (transcript) => JSON.stringify(plainJson(transcript))],
  srt: ["application/x-subrip; charset=utf-8", srt],
  vtt: ["text/vtt; charset=utf-8", vtt],
  word_json: [json, wordJson]
}

/** Renders a transcript, with all its words in order, in linear time. */
export const render = (modifier: Modifier, transcript: Transcript): Rendering => {
  const [contentType, toBody] = forms[modifier]
  return { contentType, body: toBody(transcript) }
}

/**
 * Returns the function for a rendering, and whether the rendering shows speakers. If it does not,
 * speaker names need not be read.
 */
export const formOf = (modifier: Modifier) => ({
  hasSpeakers: modifier !== "plain_text" && modifier !== "plain_json",
  make: (transcript: Transcript): Rendering => render(modifier, transcript)
})

// The status JSON contains the segments as the engine returned them.

/**
 * The field `output` of the status JSON. Every value is a string, and timestamps are in seconds.
 */
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

/** Converts a transcript to `output`. If there is no speech, the list is empty. */
export const output = (transcript: Transcript): Output => ({
  duration: seconds(transcript.durationMillis),
  language: transcript.language,
  list: transcript.segments.map(toOutputEntry)
})
