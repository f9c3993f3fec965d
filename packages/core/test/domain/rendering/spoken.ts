/** Transcripts in the notation in which tests write their results. */
import type { Segment, Transcript } from "#src/domain/transcription/Transcript"
import { transcriptOf } from "./transcripts.ts"

/** Speech and the expected result, by test title. */
export type Examples = Readonly<
  Record<string, readonly [given: ReadonlyArray<string>, expected: ReadonlyArray<string>]>
>

/** The same transcript with the given words in every segment. */
export const withWords = (
  transcript: Transcript,
  words: NonNullable<Segment["words"]>
): Transcript => ({
  ...transcript,
  segments: transcript.segments.map((segment) => ({ ...segment, words }))
})

/**
 * Makes a transcript from lines of the form `start-end text`, times in milliseconds. In `start-end
 * 1: text`, the second speaker speaks.
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
