/** Engines that return a result immediately, always for the same recording. */
import { AudioDecoder, Summarizer, Transcriber } from "@verbatim/core/ports"
import { sampleRate } from "@verbatim/core/transcription"
import { Effect, Layer } from "effect"
import { audioMillis, spoken } from "./Child.ts"

export const engines = Layer.mergeAll(
  Layer.succeed(AudioDecoder, {
    decode: () =>
      Effect.succeed({ path: "/dev/null", sampleCount: (audioMillis / 1000) * sampleRate })
  }),
  Layer.succeed(Transcriber, {
    readiness: Effect.succeed({ _tag: "Ready" as const, engine: "instant" }),
    transcribe: () =>
      Effect.succeed({ engine: "instant", language: "en" as const, segments: spoken })
  }),
  Layer.succeed(Summarizer, { summarize: () => Effect.succeed("They meet at ten.") })
)
