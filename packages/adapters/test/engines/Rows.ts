/** Provides segments as readable rows, and placeholder input for engines that ignore input. */
import type { Segment } from "@verbatim/core/transcription"

export const toRows = (segments: ReadonlyArray<Segment>) =>
  segments.map(({ endMillis, speaker, startMillis, text }) => [
    startMillis,
    endMillis,
    speaker,
    text
  ])

/** Input for tests whose engines never read their input. */
export const recognition = {
  audio: { path: "/nowhere", sampleCount: 1 },
  language: null,
  initialPrompt: null,
  isVadFiltered: true,
  isDiarized: true
}
