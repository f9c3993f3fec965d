/**
 * How much may be corrected. Without these, one key could make a small transcript as large as it
 * likes: an overlay of 60 MB kept a process busy for 35 s with one answer.
 */
import { Schema } from "effect"
import type { Segment } from "../transcription/Transcript.ts"

// What has to be known of a recognised transcript to judge corrections of it. It is made once, part
// by part, before the first correction: reading ten hours for each later one would take 300 ms.

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

/** Longest name of a speaker: subtitles and words repeat it. Long titles have 60 characters. */
export const nameLengthMax = 80

/** Longest text of a segment: half a minute of speech has some 500 characters. */
export const segmentLengthMax = 5_000

/** Segments in one request: what a person, or a search and replace, changes at a time. */
export const changeMax = 1_000

/** Versions of one transcript: twice the corrections that were counted in ten hours of speech. */
export const versionMax = 10_000

/** Corrected text at any length: room to write a short transcript anew. */
const textFloor = 200_000

/** How many times as long as recognised all corrections of a transcript may be. */
const textFactor = 4

/** All corrected text of a transcript at a time, in UTF-16 units. */
export const textLengthMax = ({ textLength }: TranscriptOutline): number =>
  Math.max(textFloor, textFactor * textLength)

/** How often everything may be written anew: the versions are kept as well. */
const writtenFactor = 10

/** All corrected text of all versions. */
export const writtenLengthMax = (outline: TranscriptOutline): number =>
  writtenFactor * textLengthMax(outline)

/**
 * The length of all versions up to which names may be taken away one by one. Each such version
 * keeps the names of all other speakers: a thousand taken away one by one keep half a million.
 */
export const unnamedLengthMax = (outline: TranscriptOutline): number =>
  2 * writtenLengthMax(outline)
