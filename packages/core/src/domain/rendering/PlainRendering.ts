/** Renderings that contain only the text, without speakers and times. */
import { Schema } from "effect"
import type { Transcript } from "../transcription/Transcript.ts"
import { seconds } from "./Timecode.ts"
import { wholeText } from "./Turns.ts"

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
