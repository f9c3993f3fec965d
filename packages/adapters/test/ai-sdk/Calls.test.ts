import { APICallError } from "@ai-sdk/provider"
import { layer as nodeFileSystem } from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as AiSdk from "@verbatim/adapters/ai-sdk"
import type { Recognition } from "@verbatim/core/ports"
import { TranscriberContract } from "@verbatim/testkit/contracts"
import { Deferred, Effect, Fiber, Layer, Tracer } from "effect"
import { tone } from "../openai/Transcribing.ts"
import { sentence, speech } from "../pocketsphinx/Clips.ts"
import { type Answer, answers, type Call, makeModel, transcribe } from "./Models.ts"

const secondsOf = (audio: Uint8Array | string) => (audio.length - 44) / 32_000

describe("An AI SDK model", () => {
  it.live(
    "receives WAV audio, the job's settings as provider options, and the host's own options",
    () =>
      Effect.gen(function* () {
        const model = makeModel(() => answers({ text: "x" }), "deepgram.transcription")
        yield* transcribe(model, {
          settings: { language: "fr", isDiarized: true },
          options: {
            headers: { "x-tenant": "7" },
            providerOptions: ({ language }) => ({
              deepgram: { punctuate: false, keyterm: `for ${language}` },
              other: { a: 1 }
            })
          }
        })
        const [call] = model.calls
        assert.strictEqual(call?.mediaType, "audio/wav")
        assert.strictEqual(secondsOf(call?.audio ?? ""), 3)
        assert.strictEqual(Buffer.from(call?.audio ?? "").toString("latin1", 0, 4), "RIFF")
        assert.deepStrictEqual(call?.providerOptions, {
          deepgram: { language: "fr", diarize: true, punctuate: false, keyterm: "for fr" },
          other: { a: 1 }
        })
        assert.deepStrictEqual(call?.headers, { "x-tenant": "7" })
        assert.instanceOf(call?.abortSignal, AbortSignal)
      })
  )

  it.live("is named in the trace of a call", () =>
    Effect.gen(function* () {
      const model = makeModel(() => answers({ text: "x" }), "deepgram.transcription")
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
      yield* Effect.withTracer(transcribe(model), tracer)
      const called = spans.find(({ name }) => name === "AiSdkTranscriber.transcribe")
      assert.deepInclude(Object.fromEntries(called?.attributes ?? []), {
        "gen_ai.operation.name": "transcription",
        "gen_ai.provider.name": "deepgram",
        "gen_ai.request.model": "scripted"
      })
    })
  )

  it.live("receives keywords in the provider's form, and reports whether they were used", () =>
    Effect.gen(function* () {
      const keywords = ["Zoë Baker", "quay"]
      const sentOptions = Effect.fnUntraced(function* (provider: string, given = keywords) {
        const model = makeModel(() => answers({ text: "x" }), `${provider}.transcription`)
        const settings = { language: "en", keywords: given } as const
        const { areKeywordsUsed = false } = yield* transcribe(model, { settings })
        const sent = model.calls[0]?.providerOptions?.[provider]
        const options: Readonly<Record<string, unknown>> = { areKeywordsUsed, ...sent }
        return options
      })
      assert.deepInclude(yield* sentOptions("assemblyai"), {
        areKeywordsUsed: true,
        keytermsPrompt: keywords
      })
      assert.deepInclude(yield* sentOptions("gladia"), {
        areKeywordsUsed: true,
        customVocabulary: true,
        customVocabularyConfig: { vocabulary: keywords }
      })
      assert.deepInclude(yield* sentOptions("mistral"), {
        areKeywordsUsed: true,
        contextBias: keywords
      })
      assert.deepInclude(yield* sentOptions("xai"), { areKeywordsUsed: true, keyterm: keywords })
      assert.deepInclude(yield* sentOptions("groq"), {
        areKeywordsUsed: true,
        prompt: "Zoë Baker, quay"
      })
      assert.deepStrictEqual(yield* sentOptions("openai"), {
        areKeywordsUsed: true,
        language: "en",
        prompt: "Zoë Baker, quay"
      })
      assert.deepStrictEqual(yield* sentOptions("openai", []), {
        areKeywordsUsed: false,
        language: "en"
      })
      for (const provider of ["deepgram", "elevenlabs", "revai", "unknown"]) {
        assert.isFalse((yield* sentOptions(provider)).areKeywordsUsed === true, provider)
      }
    })
  )

  it.live("receives the number of speakers, or bounds on it, if the provider accepts these", () =>
    Effect.gen(function* () {
      const sentOptions = Effect.fnUntraced(function* (
        provider: string,
        counts: Partial<Recognition>
      ) {
        const model = makeModel(() => answers({ text: "x" }), `${provider}.transcription`)
        const settings = { language: "en", isDiarized: true, ...counts } as const
        const { isSpeakerCountUsed = false } = yield* transcribe(model, { settings })
        return { isSpeakerCountUsed, ...model.calls[0]?.providerOptions?.[provider] }
      })
      const range = { speakerCountMin: 2, speakerCountMax: 4 }
      for (const [provider, limits, exact] of [
        [
          "assemblyai",
          { speakerOptions: { minSpeakersExpected: 2, maxSpeakersExpected: 4 } },
          { speakersExpected: 3 }
        ],
        [
          "gladia",
          { diarizationConfig: { minSpeakers: 2, maxSpeakers: 4 } },
          { diarizationConfig: { numberOfSpeakers: 3 } }
        ],
        ["elevenlabs", { numSpeakers: 4 }, { numSpeakers: 3 }],
        ["revai", { isSpeakerCountUsed: false }, { speakers_count: 3 }]
      ] as const) {
        const isSpeakerCountUsed = true
        const ranged = yield* sentOptions(provider, range)
        assert.deepInclude(ranged, { isSpeakerCountUsed, ...limits })
        const counted = yield* sentOptions(provider, { ...range, speakerCount: 3 })
        assert.deepInclude(counted, { isSpeakerCountUsed, ...exact })
        assert.notProperty(counted, "speakerOptions")
      }
    })
  )

  it.live("transcribes long audio in pieces, cut at quiet points and recognised concurrently", () =>
    Effect.gen(function* () {
      const second = Promise.withResolvers<void>()
      const model = makeModel(async ({ audio }, index) => {
        // The first call gets its response only after the second call has begun. The results must
        // still be in the order of the audio.
        if (index === 0) await second.promise
        if (index === 1) second.resolve()
        const endSecond = secondsOf(audio)
        const text = endSecond.toFixed(1)
        return answers({ text, language: "fr", segments: [{ text, startSecond: 0, endSecond }] })
      })
      const reported: Array<number> = []
      const { language, segments } = yield* transcribe(model, {
        pcm: tone(12, [4.2, 7.6]),
        options: { maxPieceBytes: 5 * 32_000, pieceConcurrency: 2 },
        settings: { onProgress: (fraction) => Effect.sync(() => reported.push(fraction)) }
      })
      assert.deepStrictEqual([model.calls.length, language], [3, "fr"])
      assert.deepStrictEqual(
        segments.map(({ text }) => text),
        segments.map(({ endMillis, startMillis }) => ((endMillis - startMillis) / 1_000).toFixed(1))
      )
      for (const [index, second] of [4.2, 7.6].entries()) {
        assert.closeTo((segments[index]?.endMillis ?? 0) / 1_000, second, 0.2)
        assert.strictEqual(segments[index]?.endMillis, segments[index + 1]?.startMillis)
      }
      assert.deepStrictEqual(
        reported,
        reported.toSorted((one, other) => one - other)
      )
      assert.strictEqual(reported.at(-1), 1)
    })
  )

  it.live("stops if the transcription is interrupted", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<AbortSignal>()
      const model = makeModel(({ abortSignal }) => {
        if (abortSignal) Deferred.doneUnsafe(begun, Effect.succeed(abortSignal))
        return new Promise(() => undefined)
      })
      const fiber = yield* Effect.forkChild(transcribe(model))
      const signal = yield* Deferred.await(begun)
      assert.isFalse(signal.aborted)
      yield* Fiber.interrupt(fiber)
      assert.isTrue(signal.aborted)
      assert.strictEqual(model.calls.length, 1)
    })
  )

  it.live("is not called for audio that lasts only a tenth of a second", () =>
    Effect.gen(function* () {
      const model = makeModel(() => answers({ text: "thank you" }))
      const { segments } = yield* transcribe(model, { pcm: new Uint8Array(3_000) })
      assert.deepStrictEqual([segments, model.calls.length], [[], 0])
    })
  )

  it.live("makes the attempt fail if it returns no transcript", () =>
    Effect.gen(function* () {
      const trap = {
        get text(): string {
          throw new Error("trap")
        }
      }
      const long = { text: "x".repeat(3_000_000) }
      for (const answer of [undefined, null, 7, "text", {}, [], trap, long]) {
        const failed = yield* Effect.flip(transcribe(makeModel(() => answer as Answer)))
        assert.strictEqual(failed.reason._tag, "EngineFailed")
      }
    })
  )
})

/** Returns the clip's words only if the clip was sent. */
const listening = async ({
  audio,
  providerOptions
}: Pick<Call, "audio" | "providerOptions">): Promise<Answer> => {
  const language = providerOptions?.openai?.language
  if (language === "cy") {
    throw new APICallError({
      message: "Language 'cy' is not supported.",
      url: "http://127.0.0.1/v1",
      requestBodyValues: {},
      statusCode: 400,
      responseBody: '{"error":{"message":"Language \'cy\' is not supported."}}'
    })
  }
  const samples = typeof audio === "string" ? new Uint8Array() : audio.subarray(44)
  const text = samples.some((byte) => byte !== 0) ? sentence : ""
  const texts = text.match(/\S+/g) ?? []
  const each = samples.byteLength / 32_000 / Math.max(texts.length, 1)
  return answers({
    text,
    language: text === "" ? undefined : "en",
    segments: texts.map((one, index) => ({
      text: one,
      startSecond: index * each,
      endSecond: (index + 1) * each
    }))
  })
}

const over = (model: AiSdk.TranscriptionModel) =>
  AiSdk.transcriber({ model: model }).pipe(
    Layer.merge(speech()),
    Layer.provideMerge(nodeFileSystem)
  )

TranscriberContract.suite(
  "a model of the AI SDK that returns words",
  over(makeModel(listening, "openai.transcription"))
)
