/** Segments as rows for tests: start, end, speaker and text. */
import type { Segment } from "@verbatim/core/transcription"

export const toRows = (segments: ReadonlyArray<Segment>) =>
  segments.map(({ endMillis, speaker, startMillis, text }) => [
    startMillis,
    endMillis,
    speaker,
    text
  ])
