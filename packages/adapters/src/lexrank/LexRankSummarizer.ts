/**
 * Summaries without a model and without a network: the most central sentences of the transcript, in
 * its own words and language. Nothing that is said can steer it.
 */
import { Failure } from "@verbatim/core/job/Failure"
import { Summarizer, SummarizerError } from "@verbatim/core/ports/Summarizer"
import { isLanguage, type Language } from "@verbatim/core/transcription/Language"
import { Effect, Layer } from "effect"
import { rank, weigh } from "./LexRank.ts"
import { write } from "./Shapes.ts"
import { units, wordsIn } from "./Units.ts"

/** Finding the words of so many sentences takes a few milliseconds; then others have their turn. */
const unitsAtOnce = 200

/** Its rules stand for those of a language that is not accepted. */
const general: Language = "en"

/** The extractive summarizer. It is always ready. */
export const layer: Layer.Layer<Summarizer> = Layer.succeed(
  Summarizer,
  Summarizer.of({
    summarize: Effect.fn("LexRankSummarizer.summarize")(function* ({ transcript, type }) {
      const language = isLanguage(transcript.language) ? transcript.language : general
      const sentences = units(transcript, language)
      if (sentences.length === 0) {
        const reason = Failure.cases.EngineFailed.make({ detail: "the transcript has no text" })
        return yield* new SummarizerError({ reason })
      }
      const words = yield* wordsOf(sentences, language)
      const weights = weigh(words)
      const ranks = yield* rank(weights)
      return write(type, { language, units: sentences, words, weights, ranks })
    })
  })
)

const wordsOf = Effect.fnUntraced(function* (
  sentences: ReadonlyArray<{ readonly text: string }>,
  language: Language
) {
  const find = wordsIn(language)
  const found: Array<ReadonlyArray<string>> = []
  for (let from = 0; from < sentences.length; from += unitsAtOnce) {
    for (const { text } of sentences.slice(from, from + unitsAtOnce)) found.push(find(text))
    yield* Effect.yieldNow
  }
  return found
})
