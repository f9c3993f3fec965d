/** Formats segments as readable rows, and provides input for engines that ignore it. */
import type { Segment } from "@verbatim/core/transcription"

export const toRows = (segments: ReadonlyArray<Segment>) =>
  segments.map(({ endMillis, speaker, startMillis, text }) => [
    startMillis,
    endMillis,
    speaker,
    text
  ])

/** The input for tests in which no engine reads it. */
export const recognition = {
  audio: { path: "/nowhere", sampleCount: 1 },
  language: null,
  initialPrompt: null,
  isVadFiltered: true,
  isDiarized: true
}
