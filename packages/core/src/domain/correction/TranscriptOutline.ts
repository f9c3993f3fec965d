/**
 * What has to be known of a recognised transcript to judge corrections of it. It is made once, part
 * by part, before the first correction: reading ten hours for each later one would take 300 ms.
 */
import { Schema } from "effect"
import type { Segment } from "../transcription/Transcript.ts"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** How many segments there are, how long their texts are together, and who speaks. */
export const TranscriptOutline = Schema.Struct({
  segments: Count,
  /** UTF-16 units. */
  textLength: Count,
  /** In order of appearance. */
  speakers: Schema.Array(Schema.String)
})
export type TranscriptOutline = typeof TranscriptOutline.Type

/** Before the first part. */
export const noOutline: TranscriptOutline = { segments: 0, textLength: 0, speakers: [] }

/** The outline with the segments of one more part. */
export const addToOutline = (
  outline: TranscriptOutline,
  segments: ReadonlyArray<Segment>
): TranscriptOutline => {
  const speakers = new Set(outline.speakers)
  let { textLength } = outline
  for (const { speaker, text } of segments) {
    speakers.add(speaker)
    textLength += text.length
  }
  return { segments: outline.segments + segments.length, textLength, speakers: [...speakers] }
}
