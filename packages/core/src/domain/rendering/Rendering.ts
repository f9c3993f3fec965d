/** The forms a transcript can be had in, one row of a table for each. */
import type { Modifier } from "../transcription/Modifier.ts"
import type { Transcript } from "../transcription/Transcript.ts"
import { paragraphJson, paragraphText } from "./ParagraphRendering.ts"
import { plainJson, plainText } from "./PlainRendering.ts"
import { srt, vtt } from "./SubtitleRendering.ts"
import { wordJson } from "./WordRendering.ts"

/** A finished body and what to call it. */
export interface Rendering {
  readonly contentType: string
  readonly body: string
}

const json = "application/json"
const text = "text/plain; charset=utf-8"

interface Form {
  readonly contentType: string
  /** Whether it tells who speaks. */
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

/** The transcript in one of its forms. Linear in its length; no word is lost, none moves. */
export const render = (modifier: Modifier, transcript: Transcript): Rendering => {
  const { body, contentType } = forms[modifier]
  return { contentType, body: body(transcript) }
}

/** How a form is made, and whether it tells who speaks: else nobody has to know their names. */
export const formOf = (modifier: Modifier) => ({
  hasSpeakers: forms[modifier].hasSpeakers,
  make: (transcript: Transcript): Rendering => render(modifier, transcript)
})
