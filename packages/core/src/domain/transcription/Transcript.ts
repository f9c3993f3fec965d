/**
 * A transcript: the length of the audio, its language, and the segments with timestamps and
 * speakers. All timestamps are whole milliseconds from the start of the file. They are plain
 * integers, because a ten-hour transcript has 120,000 segments, and an object per timestamp would
 * triple its size.
 */
import { type Option, Schema } from "effect"

/** Whole milliseconds from the start of the file. */
export const Millis = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** One recognised word, with its timestamps. */
export const Word = Schema.Struct({ startMillis: Millis, endMillis: Millis, text: Schema.String })
export type Word = typeof Word.Type

/**
 * A span of speech by one speaker: anything from one letter to a few words, rarely a whole
 * sentence.
 */
export const Segment = Schema.Struct({
  startMillis: Millis,
  endMillis: Millis,
  /** `speaker_0`, `speaker_1`, … in order of appearance. */
  speaker: Schema.String,
  text: Schema.String,
  /**
   * Whether there is a space before this segment. If there is no space, `lo` continues the word
   * that began as `Hel`. Missing if unknown, or if the language's rule gives the same result.
   */
  hasSpaceBefore: Schema.optionalKey(Schema.Boolean),
  /** The words; present if the engine reports word timestamps. */
  words: Schema.optionalKey(Schema.Array(Word))
})
export type Segment = typeof Segment.Type

/**
 * A whole transcript, with its segments in chronological order. A transcript without speech has no
 * segments.
 */
export const Transcript = Schema.Struct({
  /**
   * The number of decoded samples divided by the sample rate; never the length that the container
   * claims.
   */
  durationMillis: Millis,
  /** The ISO 639 code, requested by the caller or detected by the engine; `und` if unknown. */
  language: Schema.String,
  segments: Schema.Array(Segment)
})
export type Transcript = typeof Transcript.Type

// Long transcripts are read in parts. Ten hours of speech take 13 MB as JSON, and several times
// that as objects, so readers work on one part at a time if they can.

/** Number of JSON characters in the segments of one part. Reading a part takes 3 ms. */
export const partLengthMax = 128 * 1024

/** A part without its segments: all that a reader holds in memory between parts. */
export interface TranscriptCursor extends Omit<Transcript, "segments"> {
  /** The position of the next part, as counted by the store; none after the last part. */
  readonly next: Option.Option<number>
}

/** The fields of the whole transcript, and some of its segments, in order. */
export interface TranscriptPart extends Transcript, TranscriptCursor {}
