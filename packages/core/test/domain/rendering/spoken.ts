/** Transcripts in a short notation for tests. */
import type { Segment, Transcript } from "#src/domain/transcription/Transcript"
import { transcriptOf } from "./transcripts.ts"

/** Examples by test title, each with the speech and the expected result. */
export type Examples = Readonly<
  Record<string, readonly [given: ReadonlyArray<string>, expected: ReadonlyArray<string>]>
>

/** Returns the transcript with these words in every segment. */
export const withWords = (
  transcript: Transcript,
  words: NonNullable<Segment["words"]>
): Transcript => ({
  ...transcript,
  segments: transcript.segments.map((segment) => ({ ...segment, words }))
})

/**
 * Builds a transcript from lines such as `0-900 text`, with timestamps in milliseconds. A line such
 * as `0-900 1: text` belongs to the second speaker.
 */
export const spoken = (lines: ReadonlyArray<string>, language = "en"): Transcript =>
  transcriptOf(
    language,
    lines.map((line) => {
      const [, start, end, speaker = 0, text = ""] =
        /^(\d+)-(\d+) (?:(\d): )?(.*)$/s.exec(line) ?? []
      return [Number(start) / 1000, Number(end) / 1000, Number(speaker), text]
    })
  )
