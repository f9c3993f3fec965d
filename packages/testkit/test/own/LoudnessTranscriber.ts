/** A host's own engine, which recognises one English sentence wherever the audio is loud. */
import { readFile } from "node:fs/promises"
import { Failure } from "@verbatim/core/attempt"
import { type Recognition, Transcriber, TranscriberError } from "@verbatim/core/ports"
import { durationMillis } from "@verbatim/core/transcription"
import { Effect, Layer } from "effect"

const { EngineFailed, LanguageUnsupported } = Failure.cases

/** The only language that the engine recognises. */
const language = "en"

/** Creates the engine. The fixed sentence stands in for a real recogniser. */
export const layer = (sentence: string): Layer.Layer<Transcriber> =>
  Layer.succeed(Transcriber, {
    readiness: Effect.succeed({ _tag: "Ready" as const, engine: "loudness" }),
    transcribe: Effect.fnUntraced(function* ({
      audio,
      language: requested,
      onProgress
    }: Recognition) {
      if (requested !== null && requested !== language) {
        return yield* new TranscriberError({
          reason: LanguageUnsupported.make({ language: requested })
        })
      }
      const samples = yield* Effect.tryPromise({
        // This signal is aborted when the effect is interrupted.
        try: (signal) => readFile(audio.path, { signal }),
        catch: (cause) =>
          new TranscriberError({ reason: EngineFailed.make({ detail: String(cause) }) })
      })
      if (onProgress !== undefined) yield* onProgress(1)
      const isLoud = samples.some((byte) => byte !== 0)
      const heard = { startMillis: 0, endMillis: durationMillis(audio), text: sentence }
      const segments = isLoud ? [{ ...heard, speaker: "speaker_0" }] : []
      return { engine: "loudness", language, segments }
    })
  })
