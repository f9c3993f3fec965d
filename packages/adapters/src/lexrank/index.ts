/**
 * Implements an extractive `Summarizer` without a model or network: a summary consists of the
 * transcript's most central sentences, unchanged. Text in the recording cannot change the rules.
 */
import { Failure } from "@verbatim/core/attempt"
import { Summarizer, SummarizerError, trace } from "@verbatim/core/ports"
import { isLanguage, type Language } from "@verbatim/core/transcription"
import { Layer } from "effect"
import { analyse } from "./Analysis.ts"
import { rank, weigh } from "./LexRank.ts"
import { writeSummary } from "./SummaryWriter.ts"
import { splitIntoUnits } from "./TextUnits.ts"

/** The language that provides the rules for all languages that are not accepted. */
const defaultLanguage: Language = "en"

/** The extractive summarizer, which is always ready. */
export const layer: Layer.Layer<Summarizer> = Layer.succeed(
  Summarizer,
  Summarizer.of({
    summarize: trace("LexRankSummarizer.summarize")(function* ({ transcript, type }) {
      const language = isLanguage(transcript.language) ? transcript.language : defaultLanguage
      const sentences = yield* splitIntoUnits(transcript, language)
      if (sentences.length === 0) {
        const reason = Failure.cases.EngineFailed.make({ detail: "the transcript has no text" })
        return yield* new SummarizerError({ reason })
      }
      const analysis = yield* analyse(sentences, language)
      const weights = yield* weigh(analysis.words)
      const ranks = yield* rank(weights)
      return yield* writeSummary(type, { ...analysis, weights, ranks })
    })
  })
)
