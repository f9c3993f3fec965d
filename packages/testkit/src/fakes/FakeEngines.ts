/** A decoder, a recogniser and a summarizer that return scripted results after a scripted time. */

import {
  AudioDecoder,
  type AudioDecoderError,
  type Readiness,
  type Recognised,
  type Recognition,
  Summarizer,
  type SummarizerError,
  Transcriber,
  type TranscriberError
} from "@verbatim/core/ports"
import { type DecodedAudio, sampleRate, type Tracks } from "@verbatim/core/transcription"
import { Context, Effect, Layer } from "effect"

/** The result that each engine returns, regardless of the input. */
interface EngineScript {
  readonly readiness: Readiness
  readonly decode: Effect.Effect<DecodedAudio, AudioDecoderError>
  /** The progress, from 0 to 1, that the recogniser reports before it continues. */
  readonly progress: number
  readonly transcribe: Effect.Effect<Recognised, TranscriberError>
  readonly summarize: Effect.Effect<string, SummarizerError>
}

const calmPeaks = {
  sampleCount: 120 * sampleRate,
  interval: 60 * sampleRate,
  values: [-9, 8, 0, 0]
}

/** The default script: two minutes of audio with one spoken sentence. */
export const calmScript: EngineScript = {
  readiness: { _tag: "Ready", engine: "fake" },
  decode: Effect.succeed({ path: "/dev/null", sampleCount: 120 * sampleRate, peaks: calmPeaks }),
  progress: 0,
  transcribe: Effect.succeed({
    engine: "fake",
    language: "en",
    segments: [{ startMillis: 500, endMillis: 2_000, speaker: "speaker_0", text: "Hello there." }]
  }),
  summarize: Effect.succeed("Somebody said hello.")
}

export class FakeEngines extends Context.Service<
  FakeEngines,
  {
    /** Changes the script for later calls. */
    readonly script: (change: Partial<EngineScript>) => Effect.Effect<void>
    /** All calls made to the recogniser so far. */
    readonly recognitions: Effect.Effect<ReadonlyArray<Recognition>>
    /** The audio tracks requested from the decoder so far. */
    readonly tracks: Effect.Effect<ReadonlyArray<Tracks | undefined>>
  }
>()("@verbatim/testkit/fakes/FakeEngines") {
  static readonly layer: Layer.Layer<FakeEngines | AudioDecoder | Transcriber | Summarizer> =
    Layer.effectContext(
      Effect.sync(() => {
        let script = calmScript
        const recognitions: Array<Recognition> = []
        const wanted: Array<Tracks | undefined> = []
        return Context.empty().pipe(
          Context.add(AudioDecoder, {
            decode: (_media, tracks) =>
              Effect.suspend(() => {
                wanted.push(tracks)
                return script.decode
              }),
            digest: ({ path }, { from, to }) => Effect.succeed(`${path} ${from} ${to}`)
          }),
          Context.add(Transcriber, {
            readiness: Effect.sync(() => script.readiness),
            transcribe: (recognition) =>
              Effect.suspend(() => {
                recognitions.push(recognition)
                const { onProgress = () => Effect.void } = recognition
                return Effect.andThen(onProgress(script.progress), script.transcribe)
              })
          }),
          Context.add(Summarizer, { summarize: () => Effect.suspend(() => script.summarize) }),
          Context.add(FakeEngines, {
            recognitions: Effect.sync(() => [...recognitions]),
            tracks: Effect.sync(() => [...wanted]),
            script: (change) =>
              Effect.sync(() => {
                script = { ...script, ...change }
              })
          })
        )
      })
    )
}
