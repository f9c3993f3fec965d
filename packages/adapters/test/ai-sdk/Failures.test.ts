import {
  APICallError,
  InvalidArgumentError,
  InvalidResponseDataError,
  JSONParseError,
  LoadAPIKeyError,
  NoSuchModelError,
  UnsupportedFunctionalityError
} from "@ai-sdk/provider"
import { assert, describe, it } from "@effect/vitest"
import * as AiSdk from "@verbatim/adapters/ai-sdk"
import { isTransient } from "@verbatim/core/attempt"
import { Readiness, Transcriber } from "@verbatim/core/ports"
import { RetryError } from "ai"
import { MockTranscriptionModelV3 } from "ai/test"
import { Effect } from "effect"
import { answers, makeModel, quickRetries, transcribe } from "./Models.ts"

/** Calls a model that throws this error. Returns the outcome and the number of calls. */
const outcome = Effect.fnUntraced(function* (thrown: unknown, language: "cy" | null = null) {
  const model = makeModel(() => {
    throw thrown
  })
  const { reason } = yield* Effect.flip(
    Effect.catchTag(transcribe(model, { settings: { language } }), "PlatformError", Effect.die)
  )
  return {
    tag: reason._tag,
    detail: "detail" in reason ? reason.detail : "",
    isTransient: isTransient(reason),
    calls: model.calls.length
  }
})

const call = (parts: Partial<ConstructorParameters<typeof APICallError>[0]>) =>
  new APICallError({
    message: "No.",
    url: "https://api.example.com/v1?key=secret-in-url",
    requestBodyValues: { secret: "secret-in-body" },
    ...parts
  })

const tries = quickRetries.retryMax + 1

describe("An error thrown by a model", () => {
  for (const [statusCode, expected, isPassing] of [
    ...[400].map((status) => [status, "EngineRefused", false] as const),
    ...[401].map((status) => [status, "EngineUnavailable", true] as const)
  ]) {
    it.live(`is ${expected} immediately for status ${statusCode}`, () =>
      Effect.gen(function* () {
        const responseBody = '{"error":{"message":"It is not allowed."}}'
        const { calls, detail, isTransient, tag } = yield* outcome(
          call({ statusCode, responseBody })
        )
        assert.deepStrictEqual(
          [tag, detail, isTransient, calls],
          [expected, `${statusCode} It is not allowed.`, isPassing, 1]
        )
      })
    )
  }

  for (const statusCode of [429, 503]) {
    it.live(`is retried for status ${statusCode} if the SDK marks it as retryable`, () =>
      Effect.gen(function* () {
        const failed = yield* outcome(call({ statusCode }))
        assert.deepStrictEqual([failed.tag, failed.calls], ["EngineUnavailable", tries])
        const refused = yield* outcome(call({ statusCode, isRetryable: false }))
        assert.deepStrictEqual([refused.tag, refused.calls], ["EngineUnavailable", 1])
      })
    )
  }

  it.live("is retried only briefly, and is not reported if a retry succeeds", () =>
    Effect.gen(function* () {
      const model = makeModel((_, index) => {
        if (index === 0) throw call({ statusCode: 503 })
        return answers({ text: "Hello.", language: "en" })
      })
      const { segments } = yield* transcribe(model)
      assert.deepStrictEqual([segments[0]?.text, model.calls.length], ["Hello.", 2])
      const responseHeaders = { "retry-after": "3600" }
      const limited = yield* outcome(call({ statusCode: 429, responseHeaders }))
      assert.deepStrictEqual([limited.tag, limited.calls], ["EngineUnavailable", 1])
    })
  )

  it.live("is an outage if the settings are wrong, and a failure if the result is invalid", () =>
    Effect.gen(function* () {
      for (const [thrown, tag] of [
        [new LoadAPIKeyError({ message: "API key is missing." }), "EngineUnavailable"],
        [new UnsupportedFunctionalityError({ functionality: "x" }), "EngineRefused"],
        [
          new NoSuchModelError({ modelId: "x", modelType: "transcriptionModel" }),
          "EngineUnavailable"
        ],
        [
          new InvalidArgumentError({ argument: "providerOptions", message: "y" }),
          "EngineUnavailable"
        ],
        [new InvalidArgumentError({ argument: "x", message: "y" }), "EngineRefused"],
        [new JSONParseError({ text: "{", cause: new Error("x") }), "EngineFailed"],
        [new InvalidResponseDataError({ data: 7 }), "EngineFailed"],
        [call({ statusCode: 200, message: "Invalid JSON response" }), "EngineFailed"],
        [new Error("whatever"), "EngineFailed"],
        ["a text", "EngineFailed"],
        [undefined, "EngineFailed"],
        [null, "EngineFailed"]
      ] as const) {
        const failed = yield* outcome(thrown)
        assert.deepStrictEqual([failed.tag, failed.calls], [tag, 1], String(thrown))
        assert.notStrictEqual(failed.detail, "")
      }
    })
  )

  it.live("is reported as transient if the connection to the provider breaks", () =>
    Effect.gen(function* () {
      const refused = Object.assign(new Error("connect"), { code: "ECONNREFUSED" })
      for (const thrown of [
        new TypeError("fetch failed", { cause: refused }),
        refused,
        new DOMException("late", "TimeoutError"),
        call({ message: "Cannot connect to API", isRetryable: true }),
        new RetryError({
          message: "often",
          reason: "maxRetriesExceeded",
          errors: [call({ statusCode: 503 })]
        })
      ]) {
        const failed = yield* outcome(thrown)
        assert.deepStrictEqual([failed.tag, failed.calls], ["EngineUnavailable", tries])
      }
    })
  )

  it.live("is reported as an unsupported language only if the job requests a language", () =>
    Effect.gen(function* () {
      const thrown = call({ statusCode: 400, responseBody: '{"detail":"unknown language: cy"}' })
      assert.strictEqual((yield* outcome(thrown, "cy")).tag, "LanguageUnsupported")
      assert.strictEqual((yield* outcome(thrown)).tag, "EngineRefused")
    })
  )

  it.live("contains no secrets", () =>
    Effect.gen(function* () {
      const secrets = [
        "sk-proj-Ab12Cd34Ef56Gh78",
        "Bearer abcdefgh",
        "https://user:password@example.com/?token=hidden&x=1",
        "0123456789abcdef0123456789abcdef",
        "gsk_a1b2c3d4e5"
      ]
      for (const secret of secrets) {
        for (const thrown of [
          new Error(`Wrong: ${secret}`),
          call({ statusCode: 401, responseBody: JSON.stringify({ error: `Wrong: ${secret}` }) }),
          call({ statusCode: 401, message: `Wrong: ${secret}` })
        ]) {
          const { detail } = yield* outcome(thrown)
          assert.include(detail, "[key]")
          for (const part of ["Ab12", "abcdefgh", "password", "hidden", "abcdef0", "b2c3"]) {
            assert.notInclude(detail, part)
          }
          assert.notInclude(detail, "secret-in")
        }
      }
    })
  )
})

describe("a model option that is not a model", () => {
  const said = (model: unknown) =>
    Effect.gen(function* () {
      const transcriber = yield* Transcriber
      const readiness = yield* transcriber.readiness
      const failed = yield* Effect.flip(transcribe(model as AiSdk.TranscriptionModel))
      assert.strictEqual(failed.reason._tag, "EngineUnavailable")
      return Readiness.guards.Unavailable(readiness) ? readiness.sentence : readiness._tag
    }).pipe(Effect.provide(AiSdk.transcriber({ model: model as AiSdk.TranscriptionModel })))

  it.live("makes an engine that is never ready, and states the reason", () =>
    Effect.gen(function* () {
      const base = { provider: "x.transcription", modelId: "x", doGenerate: () => answers({}) }
      for (const [model, part] of [
        ["openai/whisper-1", "is a name"],
        [{ ...base, specificationVersion: "v5" }, "has version v5 of the AI SDK's specification"],
        [{ ...base, specificationVersion: "v1" }, "has version v1"],
        [base, "it has no specificationVersion"],
        [{ ...base, specificationVersion: "v3", doGenerate: 7 }, "it has no doGenerate"],
        [null, "it has no specificationVersion"]
      ] as const) {
        assert.include(yield* said(model), part)
      }
    })
  )

  it.live("is told apart from models of versions 2 to 4, which all work", () =>
    Effect.gen(function* () {
      const { providerMetadata: _, ...answer } = answers({ text: "Hello.", language: "en" })
      const doGenerate = async () => ({ ...answer, warnings: [] })
      const named = { provider: "x.transcription", modelId: "x", doGenerate }
      for (const model of [
        { ...named, specificationVersion: "v2" as const },
        new MockTranscriptionModelV3(named),
        makeModel(() => answer)
      ]) {
        const { engine, segments } = yield* transcribe(model)
        assert.strictEqual(segments[0]?.text, "Hello.")
        assert.match(engine, /^ai-sdk (?:x|mock)\.transcription (?:x|scripted)$/)
      }
    })
  )
})
