/**
 * Provides transcripts to summarise: the meeting in the examples, and long texts of made-up words.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { layer } from "@verbatim/adapters/lexrank"
import { Summarizer } from "@verbatim/core/ports"
import type { SummaryType } from "@verbatim/core/summary"
import type { Transcript } from "@verbatim/core/transcription"
import { Effect } from "effect"

const turnMillis = 5_000

/** Builds a transcript from lines that two speakers say in turn, five seconds each. */
export const transcriptOf = (language: string, lines: ReadonlyArray<string>): Transcript => ({
  language,
  durationMillis: lines.length * turnMillis,
  segments: lines.map((text, index) => ({
    startMillis: index * turnMillis,
    endMillis: (index + 1) * turnMillis - 500,
    speaker: `speaker_${index % 2}`,
    text
  }))
})

/** The lines of the recorded meeting, which is about a boat trip. */
const meeting: ReadonlyArray<string> = readFileSync(
  join(import.meta.dirname, "../../../../examples/audio/harbour-meeting.txt"),
  "utf8"
)
  .trim()
  .split("\n")

/** The same lines, as a recogniser writes them without punctuation. */
export const unmarked: ReadonlyArray<string> = meeting.map((line) =>
  line.toLowerCase().replace(/[.,?]/g, "")
)

/** Returns the given number of different sentences of 14 words each. */
export const many = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, line) => {
    const words = Array.from(
      { length: 14 },
      (_, word) => `w${(line * 7919 + word * word * 104_729 + line * word) % 3_000}`
    )
    return `${words.join(" ")}.`
  })

/** Summarises lines that two speakers say in turn. */
export const summarize = Effect.fnUntraced(function* (
  type: SummaryType,
  language: string,
  lines: ReadonlyArray<string>
) {
  const { summarize } = yield* Summarizer
  return yield* summarize({ type, transcript: transcriptOf(language, lines) })
}, Effect.provide(layer))
