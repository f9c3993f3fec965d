/**
 * A transcript: the length of the audio, its language, and the segments with timestamps and
 * speakers. All timestamps are whole milliseconds from the start of the file. They are plain
 * integers, because a ten-hour transcript has 120,000 segments, and an object per timestamp would
 * triple its size.
 */
import { type Option, Schema } from "effect"

/** A timestamp, in whole milliseconds from the start of the file. */
export const Millis = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** A recognised word with its timestamps. */
export const Word = Schema.Struct({ startMillis: Millis, endMillis: Millis, text: Schema.String })
export type Word = typeof Word.Type

/**
 * A span of speech by one speaker: anything from one letter to a few words, and rarely a whole
 * sentence.
 */
export const Segment = Schema.Struct({
  startMillis: Millis,
  endMillis: Millis,
  /** `speaker_0`, `speaker_1`, … in order of appearance. */
  speaker: Schema.String,
  text: Schema.String,
  /**
   * Whether there is a space before this segment. Without a space, the segment `lo` continues the
   * word that began as `Hel`. Missing if unknown, or if the language's rule gives the same result.
   */
  hasSpaceBefore: Schema.optionalKey(Schema.Boolean),
  /** The words of the segment, if the engine reports word timestamps. */
  words: Schema.optionalKey(Schema.Array(Word))
})
export type Segment = typeof Segment.Type

/**
 * A whole transcript, with its segments in chronological order. A transcript without speech has no
 * segments.
 */
export const Transcript = Schema.Struct({
  /**
   * The number of decoded samples divided by the sample rate. The length in the file's header is
   * not used.
   */
  durationMillis: Millis,
  /**
   * The ISO 639 code of the language that the caller requested or the engine detected; `und` if
   * unknown.
   */
  language: Schema.String,
  segments: Schema.Array(Segment)
})
export type Transcript = typeof Transcript.Type

// Long transcripts are read in parts. Ten hours of speech take 13 MB as JSON, and several times
// that as objects, so most readers work on one part at a time.

/** Length of the segments in one part, in characters of JSON. Reading a part takes 3 ms. */
export const partLengthMax = 128 * 1024

/** The end of a part: all that a reader holds in memory between two parts. */
export interface TranscriptCursor extends Omit<Transcript, "segments"> {
  /** The position of the next part, as the store counts it; none after the last part. */
  readonly next: Option.Option<number>
}

/**
 * A part of a transcript: the fields of the whole transcript, and some of its segments in order.
 */
export interface TranscriptPart extends Transcript, TranscriptCursor {}
