import { APICallError } from "@ai-sdk/provider"
import { assert, describe, it } from "@effect/vitest"
import { verbatimModel } from "@verbatim/adapters/ai-sdk-model"
import { Failure } from "@verbatim/core/attempt"
import { TranscriberError } from "@verbatim/core/ports"
import { FakeEngines, FakeMedia } from "@verbatim/testkit/fakes"
import { transcribe } from "ai"
import { Deferred, Effect, Option } from "effect"
import { Address, apiKey, served } from "./ServedVerbatim.ts"

/** Bytes that say that they are WAV. */
const audio = new TextEncoder().encode("RIFF\0\0\0\0WAVEfmt and so on")

const settings = Effect.map(Address, ({ baseUrl }) => ({ baseUrl, apiKey, pollMillisMax: 50 }))

/** How a call ends that is meant to fail. */
const failure = (going: () => Promise<unknown>) =>
  Effect.promise(() =>
    going().then(
      () => undefined,
      (error: unknown) => error
    )
  )

const get = (path: string) =>
  Effect.flatMap(Address, ({ baseUrl }) =>
    Effect.promise(() =>
      fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
    )
  )

/** The jobs of the caller. */
const jobs = Effect.flatMap(get("/v1/transcriptions"), (response) =>
  Effect.map(
    Effect.promise(() => response.json() as Promise<{ data: ReadonlyArray<{ id: string }> }>),
    ({ data }) => data
  )
)

describe("Verbatim as a model of the AI SDK", () => {
  it.live("transcribes for the SDK's own function", () =>
    Effect.gen(function* () {
      const options = yield* settings
      const { asked, script } = yield* FakeEngines
      yield* script({
        transcribe: Effect.succeed({
          engine: "fake",
          language: "en",
          segments: [
            { startMillis: 500, endMillis: 2_000, speaker: "speaker_0", text: "Hello there." },
            { startMillis: 2_500, endMillis: 4_000, speaker: "speaker_1", text: "Good morning." }
          ]
        })
      })
      const result = yield* Effect.promise(() =>
        transcribe({
          model: verbatimModel(options),
          audio,
          providerOptions: {
            verbatim: { language: "en", initialPrompt: "Ada", keywords: ["Zoë, Ada"], speed: 2 }
          }
        })
      )
      assert.strictEqual(result.text, "Hello there. Good morning.")
      assert.deepStrictEqual(result.segments, [
        { text: "Hello there.", startSecond: 0.5, endSecond: 2 },
        { text: "Good morning.", startSecond: 2.5, endSecond: 4 }
      ])
      assert.deepStrictEqual([result.language, result.durationInSeconds], ["en", 120])
      assert.deepStrictEqual(
        result.words?.map(({ text }) => text),
        ["Hello", "there.", "Good", "morning."]
      )
      assert.deepStrictEqual(
        result.warnings.map(({ type }) => type),
        ["unsupported", "other"]
      )
      const [job] = yield* jobs
      assert.strictEqual(result.providerMetadata.verbatim?.jobId, job?.id)
      assert.deepInclude(result.providerMetadata.verbatim?.segments, {
        text: "Good morning.",
        startSecond: 2.5,
        endSecond: 4,
        speaker: "speaker_1"
      })
      const [recognition] = yield* asked
      const wishes = { language: "en", initialPrompt: "Ada", isDiarized: true } as const
      assert.deepInclude(recognition, { ...wishes, keywords: ["Zoë, Ada"] })
    }).pipe(Effect.provide(served))
  )

  it.live("removes its job when nobody waits any more", () =>
    Effect.gen(function* () {
      const options = yield* settings
      const begun = yield* Deferred.make<void>()
      const { script } = yield* FakeEngines
      yield* script({
        transcribe: Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      })
      const controller = new AbortController()
      const going = failure(() =>
        transcribe({ model: verbatimModel(options), audio, abortSignal: controller.signal })
      )
      yield* Effect.forkChild(
        Effect.andThen(Deferred.await(begun), () => Effect.sync(() => controller.abort("enough")))
      )
      assert.strictEqual(yield* going, "enough")
      assert.deepStrictEqual(yield* jobs, [])
    }).pipe(Effect.provide(served))
  )

  it.live("creates nothing for a call that was stopped before it began", () =>
    Effect.gen(function* () {
      const options = yield* settings
      const abortSignal = AbortSignal.abort("late")
      const said = yield* failure(() =>
        transcribe({ model: verbatimModel(options), audio, abortSignal })
      )
      assert.strictEqual(said, "late")
      assert.deepStrictEqual(yield* jobs, [])
    }).pipe(Effect.provide(served))
  )

  it.live("fails as the SDK expects: refusals and failed jobs, once", () =>
    Effect.gen(function* () {
      const options = yield* settings
      const wrong = yield* failure(() =>
        transcribe({ model: verbatimModel({ ...options, apiKey: "no such key" }), audio })
      )
      assert.isTrue(APICallError.isInstance(wrong))
      assert.deepInclude(wrong, { statusCode: 403, isRetryable: false })
      const language = yield* failure(() =>
        transcribe({ model: verbatimModel({ ...options, language: "xx" }), audio })
      )
      assert.deepInclude(language, { statusCode: 400 })
      const { script } = yield* FakeEngines
      const reason = Failure.cases.EngineRefused.make({ detail: "no" })
      yield* script({ transcribe: new TranscriberError({ reason }) })
      const failed = yield* failure(() => transcribe({ model: verbatimModel(options), audio }))
      assert.isTrue(APICallError.isInstance(failed))
      assert.strictEqual((failed as Error).message, "The engine refused the work")
      assert.lengthOf(yield* jobs, 1)
      for (const said of [wrong, language, failed]) {
        assert.notInclude(JSON.stringify(said), apiKey)
      }
    }).pipe(Effect.provide(served))
  )

  it.live("asks again where an answer was lost, and gets the same job", () =>
    Effect.gen(function* () {
      const options = yield* settings
      let lost = 0
      const losing: typeof fetch = async (input, init) => {
        const response = await fetch(input, init)
        if (init?.method !== "POST" || lost++ > 0) return response
        throw new TypeError("fetch failed")
      }
      const model = verbatimModel({ ...options, fetch: losing })
      const { text } = yield* Effect.promise(() => transcribe({ model, audio }))
      assert.deepStrictEqual([text, lost], ["Hello there.", 2])
      assert.lengthOf(yield* jobs, 1)
      assert.notInclude(JSON.stringify(model), apiKey)
    }).pipe(Effect.provide(served))
  )

  it.live("lets the server fetch what is behind a URL, or the SDK where that is refused", () =>
    Effect.gen(function* () {
      const model = verbatimModel(yield* settings)
      const { publish } = yield* FakeMedia
      const url = "https://media.example.com/a.wav"
      const nothing = { hops: [], filename: Option.none(), contentType: Option.none() }
      yield* publish(url, { ...nothing, bytes: audio, byteLength: Option.some(audio.byteLength) })
      const { text } = yield* Effect.promise(() => transcribe({ model, audio: new URL(url) }))
      assert.strictEqual(text, "Hello there.")
      const elsewhere = new URL("https://media.example.com/b.wav")
      const refused = yield* Effect.promise(async () =>
        model.doGenerateFromUrl?.({ audio: elsewhere })
      )
      assert.isUndefined(refused)
      assert.lengthOf(yield* jobs, 1)
    }).pipe(Effect.provide(served))
  )
})
