/**
 * What was said: how long the audio is, in which language, and the segments with their times and
 * speakers. Times are whole milliseconds from the start of the file, as plain integers: a
 * transcript of ten hours holds 120,000 segments, and an object for each instant would triple its
 * size.
 */
import { type Option, Schema } from "effect"

/** Whole milliseconds from the start of the file. */
export const Millis = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** One recognised word. */
export const Word = Schema.Struct({ startMillis: Millis, endMillis: Millis, text: Schema.String })
export type Word = typeof Word.Type

/** A stretch of speech by one speaker: from one letter to a few words, seldom a whole sentence. */
export const Segment = Schema.Struct({
  startMillis: Millis,
  endMillis: Millis,
  /** `speaker_0`, `speaker_1`, … in order of appearance. */
  speaker: Schema.String,
  text: Schema.String,
  /**
   * Whether a space stands between the segment before and this one: without one, `lo` goes on with
   * the word that began as `Hel`. Absent where that is as the language has it, or is not known.
   */
  hasSpaceBefore: Schema.optionalKey(Schema.Boolean),
  /** Present when the engine times single words. */
  words: Schema.optionalKey(Schema.Array(Word))
})
export type Segment = typeof Segment.Type

/** A whole transcript, segments in order of time. No speech gives no segments. */
export const Transcript = Schema.Struct({
  /** Decoded samples over the sample rate; never what the container claims. */
  durationMillis: Millis,
  /** ISO 639, sent by the caller or detected by the engine; `und` where nobody knows. */
  language: Schema.String,
  segments: Schema.Array(Segment)
})
export type Transcript = typeof Transcript.Type

// A transcript in parts: ten hours are 13 MB as JSON and several times that as objects, so whoever
// can work on a stretch at a time reads it in parts.

/** Characters of a part's segments as JSON, which are read in 3 ms. */
export const partLengthMax = 128 * 1024

/** What is known behind a part, without its segments: a reader who waits holds no more. */
export interface TranscriptMark extends Omit<Transcript, "segments"> {
  /** Where the next part begins, as the store counts; none behind the last one. */
  readonly next: Option.Option<number>
}

/** What is true of the whole transcript, and some of its segments, in order. */
export interface TranscriptPart extends Transcript, TranscriptMark {}
