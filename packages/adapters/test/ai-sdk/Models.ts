/**
 * Models of the AI SDK as tests script them, and the transcriber over one of them.
 */
import * as AiSdk from "@verbatim/adapters/ai-sdk"
import { type Recognition, Transcriber } from "@verbatim/core/ports"
import { MockTranscriptionModelV4 } from "ai/test"
import { Effect } from "effect"
import { hurried, plain, recorded } from "../openai/Listening.ts"

/** What a model answers. */
export type Answer = Awaited<ReturnType<MockTranscriptionModelV4["doGenerate"]>>

/** One call of a model. */
export type Call = Parameters<MockTranscriptionModelV4["doGenerate"]>[0]

/** An answer with these parts. */
export const answers = (parts: Partial<Answer>): Answer => ({
  text: "",
  segments: [],
  language: undefined,
  durationInSeconds: undefined,
  warnings: [],
  response: { timestamp: new Date(0), modelId: "scripted" },
  ...parts
})

/** A model of a provider that does what the script says. */
export const model = (
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

export { hurried }

/** Asks a model about seconds of nothing, or about samples. */
export const listen = Effect.fnUntraced(function* (
  asked: AiSdk.TranscriptionModel,
  {
    options = {},
    pcm = new Uint8Array(3 * 32_000),
    wishes = {}
  }: {
    readonly options?: Omit<AiSdk.TranscriberOptions, "model">
    readonly pcm?: Uint8Array
    readonly wishes?: Partial<Recognition>
  } = {}
) {
  const audio = yield* recorded(pcm)
  const layer = AiSdk.transcriber({ model: asked, retries: hurried, ...options })
  return yield* Effect.flatMap(Transcriber, ({ transcribe }) =>
    transcribe({ ...plain, ...wishes, audio })
  ).pipe(Effect.provide(layer))
}, Effect.scoped)
