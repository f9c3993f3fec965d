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
  readonly body: (transcript: Transcript) => string
}

const forms: Readonly<Record<Modifier, Form>> = {
  paragraph_json: {
    contentType: json,
    body: (transcript) => JSON.stringify(paragraphJson(transcript))
  },
  paragraph_text: { contentType: text, body: paragraphText },
  plain_text: { contentType: text, body: plainText },
  plain_json: { contentType: json, body: (transcript) => JSON.stringify(plainJson(transcript)) },
  srt: { contentType: "application/x-subrip; charset=utf-8", body: srt },
  vtt: { contentType: "text/vtt; charset=utf-8", body: vtt },
  word_json: { contentType: json, body: wordJson }
}

/** The transcript in one of its forms. Linear in its length; no word is lost, none moves. */
export const render = (modifier: Modifier, transcript: Transcript): Rendering => {
  const { body, contentType } = forms[modifier]
  return { contentType, body: body(transcript) }
}
