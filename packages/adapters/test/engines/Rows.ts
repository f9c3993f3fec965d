/** Segments as tests write them down: from, to, who and what. */
import type { Segment } from "@verbatim/core/transcription"

export const toRows = (segments: ReadonlyArray<Segment>) =>
  segments.map(({ endMillis, speaker, startMillis, text }) => [
    startMillis,
    endMillis,
    speaker,
    text
  ])
