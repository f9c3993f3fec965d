/**
 * A transcript in parts: ten hours are 13 MB as JSON and several times that as objects, so whoever
 * can do with a stretch at a time reads it so.
 */
import type { Option } from "effect"
import type { Transcript } from "./Transcript.ts"

/** Characters of the segments of a part, as JSON: read in 3 ms. */
export const partLengthMax = 128 * 1024

/** Where a part begins. What the numbers mean is the store's affair. */
export interface TranscriptPlace {
  readonly piece: number
  readonly offset: number
}

/** What holds for the whole of a transcript, and some of its segments, in order. */
export interface TranscriptPart extends Transcript {
  /** Where the next part begins; none where this is the last one. */
  readonly next: Option.Option<TranscriptPlace>
}
