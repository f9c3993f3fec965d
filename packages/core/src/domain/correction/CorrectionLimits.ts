/**
 * Limits on corrections. Without limits, a single key could make a small transcript arbitrarily
 * large: one response with a 60 MB overlay kept a process busy for 35 s.
 */
import { Schema } from "effect"
import type { Segment } from "../transcription/Transcript.ts"

// The outline of a recognised transcript, against which corrections are validated. It is built
// once, part by part, before the first correction, because reading a ten-hour transcript for each
// later correction would take 300 ms.

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

export const TranscriptOutline = Schema.Struct({
  segments: Count,
  /** Total length of the segments' texts, in UTF-16 units. */
  textLength: Count,
  /** The speakers, in order of appearance. */
  speakers: Schema.Array(Schema.String)
})
export type TranscriptOutline = typeof TranscriptOutline.Type

/** The outline of an empty transcript, to which segments are added. */
export const noOutline: TranscriptOutline = { segments: 0, textLength: 0, speakers: [] }

/** Adds the segments of a transcript's next part to an outline. */
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

/**
 * Maximum length of a speaker's name, which is repeated with every subtitle and word. Even a name
 * with long titles has about 60 characters.
 */
export const nameLengthMax = 80

/** Maximum length of a segment's text. Half a minute of speech has some 500 characters. */
export const segmentLengthMax = 5_000

/** Maximum number of segments in one request: enough for a single search-and-replace. */
export const changeMax = 1_000

/**
 * Maximum number of versions per transcript: twice the corrections counted in ten hours of speech.
 */
export const versionMax = 10_000

/**
 * Length of corrected text, in UTF-16 units, that even a short transcript may have: enough to
 * rewrite it.
 */
const textFloor = 200_000

/** Maximum length of the current corrections, as a multiple of the recognised text's length. */
const textFactor = 4

/** Returns the maximum length of a transcript's current corrected text, in UTF-16 units. */
export const textLengthMax = ({ textLength }: TranscriptOutline): number =>
  Math.max(textFloor, textFactor * textLength)

/**
 * Number of times that the whole text can be rewritten. It is limited, because all versions are
 * stored.
 */
const writtenFactor = 10

/** Returns the maximum length of the corrected text in all versions together. */
export const writtenLengthMax = (outline: TranscriptOutline): number =>
  writtenFactor * textLengthMax(outline)

/**
 * Returns the maximum total length of all versions for a request that only removes names. Each of
 * these versions stores all remaining names, so removing a thousand names one by one would store
 * half a million.
 */
export const unnamedLengthMax = (outline: TranscriptOutline): number =>
  2 * writtenLengthMax(outline)
