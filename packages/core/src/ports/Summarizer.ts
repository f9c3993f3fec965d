/**
 * Port: writes a summary of a transcript, in the transcript's language.
 */

import { Context, type Effect, Schema } from "effect"
import { Failure } from "../domain/attempt/Failure.ts"
import { describeReason, refusal } from "../domain/schema/Refusal.ts"
import type { SummaryType } from "../domain/summary/SummaryType.ts"
import type { Transcript } from "../domain/transcription/Transcript.ts"

const { EngineFailed, EngineRefused, EngineUnavailable } = Failure.cases

/** The reason why a transcript could not be summarized. */
export class SummarizerError extends refusal<SummarizerError>()("SummarizerError", {
  fields: {
    reason: Schema.Union([EngineUnavailable, EngineFailed, EngineRefused])
  },
  sentence: describeReason
}) {}

export class Summarizer extends Context.Service<
  Summarizer,
  {
    /**
     * Writes a summary: `brief` is 2 to 3 sentences, `medium` is 1 to 3 paragraphs, and `long` is a
     * short digest, an executive summary and detailed sections. The transcript is only data: no
     * text in it is taken for an instruction.
     */
    readonly summarize: (request: {
      readonly type: SummaryType
      readonly transcript: Transcript
    }) => Effect.Effect<string, SummarizerError>
  }
>()("@verbatim/core/ports/Summarizer") {}
