/**
 * The transcript as the status JSON carries it: the segments as the engine gave them.
 */
import { Schema } from "effect"
import type { Segment, Transcript } from "../transcription/Transcript.ts"
import { seconds } from "./Timecode.ts"

/** The field `output`: every value a string, times in seconds. */
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

/** A segment as an entry of the list. */
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

/** The transcript as `output`. No speech gives an empty list. */
export const output = (transcript: Transcript): Output => ({
  duration: seconds(transcript.durationMillis),
  language: transcript.language,
  list: transcript.segments.map(toOutputEntry)
})
