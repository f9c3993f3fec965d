/** A host's own summarizer, which returns the first sentences of a recording. */
import { Summarizer } from "@verbatim/core/ports"
import { Sentences } from "@verbatim/core/rendering"
import { Effect, Layer } from "effect"

/** Number of sentences in each part of the summary. */
const count = { brief: [3], medium: [4, 4], long: [2, 4, 12] } as const

export const layer = Layer.succeed(Summarizer, {
  summarize: ({ transcript, type }) =>
    Effect.sync(() => {
      const sentences = Sentences.sentences(transcript).map(({ text }) => text)
      const parts = count[type].map((length) => sentences.slice(0, length).join(" "))
      return parts.join("\n\n")
    })
})
