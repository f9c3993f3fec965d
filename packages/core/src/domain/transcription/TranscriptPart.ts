/**
 * A transcript in parts: ten hours are 13 MB as JSON and several times that as objects, so whoever
 * can work on a stretch at a time reads it in parts.
 */
import type { Option } from "effect"
import type { Transcript } from "./Transcript.ts"

/** Characters of a part's segments as JSON, which are read in 3 ms. */
export const partLengthMax = 128 * 1024

/** Where a part begins. What the numbers mean is up to the store. */
export interface TranscriptPlace {
  readonly piece: number
  readonly offset: number
}

/** What is known behind a part, without its segments: a reader who waits holds no more. */
export interface TranscriptMark extends Omit<Transcript, "segments"> {
  /** Where the next part begins; none behind the last one. */
  readonly next: Option.Option<TranscriptPlace>
}

/** What is true of the whole transcript, and some of its segments, in order. */
export interface TranscriptPart extends Transcript, TranscriptMark {}
