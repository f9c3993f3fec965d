/** Provides scripted AI SDK models, and a transcriber that uses one of them. */
import * as AiSdk from "@verbatim/adapters/ai-sdk"
import { type Recognition, Transcriber } from "@verbatim/core/ports"
import { MockTranscriptionModelV4 } from "ai/test"
import { Effect } from "effect"
import { defaultRecognition, quickRetries, writeAudio } from "../openai/Transcribing.ts"

/** A model's response. */
export type Answer = Awaited<ReturnType<MockTranscriptionModelV4["doGenerate"]>>

/** One call to a model. */
export type Call = Parameters<MockTranscriptionModelV4["doGenerate"]>[0]

/** Builds a model's result from the given parts. */
export const answers = (parts: Partial<Answer>): Answer => ({
  text: "",
  segments: [],
  language: undefined,
  durationInSeconds: undefined,
  warnings: [],
  response: { timestamp: new Date(0), modelId: "scripted" },
  ...parts
})

/** Creates a scripted model of the given provider. */
export const makeModel = (
  script: (call: Call, index: number) => Answer | PromiseLike<Answer>,
  provider = "mock.transcription"
) => {
  const calls: Array<Call> = []
  const made = new MockTranscriptionModelV4({
    provider,
    modelId: "scripted",
    doGenerate: async (call) => {
      calls.push(call)
      return script(call, calls.length - 1)
    }
  })
  return Object.assign(made, { calls })
}

export { quickRetries }

/** Transcribes the given samples with a model. The default is silence. */
export const transcribe = Effect.fnUntraced(function* (
  model: AiSdk.TranscriptionModel,
  {
    options = {},
    pcm = new Uint8Array(3 * 32_000),
    settings = {}
  }: {
    readonly options?: Omit<AiSdk.TranscriberOptions, "model">
    readonly pcm?: Uint8Array
    readonly settings?: Partial<Recognition>
  } = {}
) {
  const audio = yield* writeAudio(pcm)
  const layer = AiSdk.transcriber({ model: model, retries: quickRetries, ...options })
  return yield* Effect.flatMap(Transcriber, ({ transcribe }) =>
    transcribe({ ...defaultRecognition, ...settings, audio })
  ).pipe(Effect.provide(layer))
}, Effect.scoped)
