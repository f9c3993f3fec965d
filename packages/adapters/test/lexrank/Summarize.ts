/** Summarises lines for tests. */
import { layer } from "@verbatim/adapters/lexrank"
import { Summarizer } from "@verbatim/core/ports"
import type { SummaryType } from "@verbatim/core/summary"
import { Effect } from "effect"
import { transcriptOf } from "./Transcripts.ts"

/** Returns the summary of lines spoken in turn. */
export const summarize = Effect.fnUntraced(function* (
  type: SummaryType,
  language: string,
  lines: ReadonlyArray<string>
) {
  const { summarize } = yield* Summarizer
  return yield* summarize({ type, transcript: transcriptOf(language, lines) })
}, Effect.provide(layer))
