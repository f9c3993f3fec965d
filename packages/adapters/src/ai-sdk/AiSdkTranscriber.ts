/**
 * Recognises speech with any provider's transcription model for the AI SDK. A recording is cut at
 * quiet points, several pieces are recognised concurrently, and their timelines are merged.
 */

import { toLine } from "@verbatim/core/attempt"
import {
  Readiness,
  type Recognition,
  type SampleRange,
  Transcriber,
  trace
} from "@verbatim/core/ports"
import { millisAt, sampleRate } from "@verbatim/core/transcription"
import { DateTime, Effect, FileSystem, identity, Option, Predicate, Result, Stream } from "effect"
import { makeUnavailable } from "../engines/EngineInstallation.ts"
import { readProblem, viewJson } from "../engines/pieces/Json.ts"
import {
  answerTimeout,
  type Recording,
  samplesMin,
  uploadBytesMax
} from "../engines/pieces/Recording.ts"
import { pieceSamplesMax, recognisePieces, toPieceResult } from "../engines/pieces/Timeline.ts"
import { headerBytes, sampleBytes } from "../engines/pieces/Wave.ts"
import { annotateCall } from "../engines/provider/annotateCall.ts"
import {
  type ProviderError,
  providerError,
  type Retries,
  retries,
  setback,
  toStorageError,
  toTranscriberError,
  tryAgain
} from "../engines/provider/ProviderFailure.ts"
import { meaningOf, retryAfter } from "../engines/provider/StatusMeaning.ts"
import { hasSpeakers, parseResult } from "./ModelAnswer.ts"
import {
  canDiarize,
  engineOf,
  type Model,
  optionsOf,
  type ProviderOptions,
  problemOf,
  providerOf,
  type RecognitionSettings,
  usedHints
} from "./ProviderOptions.ts"

/** Options for calls to the model. */
export interface CallOptions {
  /**
   * Provider options, or a function that derives them from a job's settings. These options override
   * Verbatim's own.
   */
  readonly providerOptions?: ProviderOptions | ((settings: RecognitionSettings) => ProviderOptions)
  /** Extra headers, sent only by models that use HTTP. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Maximum size in bytes of a file sent in one call. Providers match speakers only within a file.
   */
  readonly maxPieceBytes?: number
  /** Maximum number of pieces recognised concurrently. Each of these pieces is held in memory. */
  readonly pieceConcurrency?: number
  readonly retries?: Retries
}

/** Default number of pieces recognised concurrently. Two typical pieces take 50 MB of memory. */
const pieceConcurrency = 2

/** Reads a piece into memory as one file, because models do not accept streams. */
const bytesOf = Effect.fnUntraced(function* (recording: Recording, piece: SampleRange) {
  const { byteLength, content } = recording.wave(piece)
  const bytes = new Uint8Array(byteLength)
  let at = 0
  yield* Stream.runForEach(content, (chunk) =>
    Effect.sync(() => {
      bytes.set(chunk.subarray(0, byteLength - at), at)
      at += chunk.byteLength
    })
  )
  return bytes
})

const hostOptions = (
  { providerOptions = {} }: CallOptions,
  settings: RecognitionSettings
): ProviderOptions =>
  typeof providerOptions === "function" ? providerOptions(settings) : providerOptions

/** Calls the model once and validates its response. */
const callModel = Effect.fnUntraced(function* (
  { model, options }: { readonly model: Model; readonly options: CallOptions },
  input: {
    readonly audio: Uint8Array
    readonly seconds: number
    readonly settings: RecognitionSettings
  }
) {
  const { audio, seconds, settings } = input
  const provider = providerOf(model)
  const call = {
    audio,
    mediaType: "audio/wav",
    providerOptions: optionsOf(
      { provider, model: model.modelId },
      { overrides: hostOptions(options, settings), settings }
    ),
    ...(options.headers !== undefined && { headers: { ...options.headers } }),
    ...(model.specificationVersion === "v4" && {
      timestampGranularities: ["word" as const, "segment" as const]
    })
  }
  const result = yield* Effect.tryPromise({
    try: (abortSignal) => model.doGenerate({ ...call, abortSignal }),
    catch: (thrown) => thrown
  }).pipe(
    Effect.catch((thrown) =>
      Effect.flatMap(DateTime.now, (now) => Effect.fail(failureOf(thrown, now)))
    ),
    Effect.timeoutOrElse({
      duration: answerTimeout({ seconds, bytes: audio.byteLength }),
      orElse: () => Effect.fail(setback("the model does not answer"))
    })
  )
  const parsed = Result.try({
    try: () => parseResult({ provider, result, seconds }),
    catch: () => "the answer cannot be read"
  }).pipe(Result.flatMap(identity))
  return yield* Effect.mapError(Effect.fromResult(parsed), (detail) =>
    providerError("Malformed", detail)
  )
})

/** Creates a transcriber that calls the given model. */
export const make = Effect.fnUntraced(function* (model: Model, options: CallOptions) {
  const fs = yield* FileSystem.FileSystem
  const problem = problemOf(model)
  if (problem !== undefined) return makeUnavailable(problem)
  const engine = engineOf(model)
  const bytesMax = (options.maxPieceBytes ?? uploadBytesMax) - headerBytes
  const sampleMax = Math.max(Math.floor(bytesMax / sampleBytes), samplesMin)

  const recognisePiece = Effect.fnUntraced(function* (
    settings: Recognition,
    { piece, recording }: { readonly piece: SampleRange; readonly recording: Recording }
  ) {
    const audio = yield* Effect.mapError(bytesOf(recording, piece), toStorageError)
    const seconds = (piece.to - piece.from) / sampleRate
    const result = yield* tryAgain(
      callModel({ model, options }, { audio, seconds, settings }),
      options.retries ?? retries
    ).pipe(Effect.mapError((error) => toTranscriberError(error, settings)))
    const millis = millisAt(piece.to) - millisAt(piece.from)
    return toPieceResult(result, { known: noKnownVoices, millis })
  })

  const transcribe = trace("AiSdkTranscriber.transcribe")(
    function* (settings: Recognition) {
      const named = { provider: providerOf(model), model: model.modelId }
      yield* annotateCall({ ...named, operation: "transcription" })
      // Pieces are larger if the job or the host's options request speakers, because providers
      // match speakers only within one file.
      const isOneFile =
        settings.isDiarized &&
        (canDiarize(named, settings) || options.providerOptions !== undefined)
      const recognised = yield* recognisePieces(settings, {
        engine,
        sampleMax: isOneFile ? sampleMax : Math.min(sampleMax, pieceSamplesMax),
        settings: [hostOptions(options, settings)],
        atOnce: options.pieceConcurrency ?? pieceConcurrency,
        recognisePiece: (recording, piece) => recognisePiece(settings, { recording, piece })
      })
      const areSpeakersUnknown = !hasSpeakers(named.provider)
      return { ...recognised, ...usedHints(named, settings), areSpeakersUnknown }
    },
    Effect.provideService(FileSystem.FileSystem, fs)
  )
  return Transcriber.of({
    readiness: Effect.succeed(Readiness.cases.Ready.make({ engine })),
    transcribe
  })
})

/** Voices are not matched between pieces. */
const noKnownVoices: ReadonlySet<string> = new Set()

/** Maximum number of nested errors to inspect. */
const depthMax = 5

/** Errors in the key, the model or the settings, which affect every request. */
const bars: ReadonlySet<string> = new Set([
  "AI_LoadAPIKeyError",
  "AI_LoadSettingError",
  "AI_NoSuchModelError",
  "AI_NoSuchProviderError",
  "AI_UnsupportedModelVersionError"
])

/** Errors that affect only one call but that a retry cannot fix. */
const refusals: ReadonlySet<string> = new Set([
  "AI_InvalidArgumentError",
  "AI_UnsupportedFunctionalityError"
])

/**
 * The host's provider options are sent with every call, so an error in them makes every call fail.
 */
const isBar = (thrown: unknown, name: string): boolean =>
  bars.has(name) ||
  (name === "AI_InvalidArgumentError" && textIn(thrown, "argument") === "providerOptions")

/** Names and Node error codes of transient errors. */
const passingNames = /^(?:AbortError|TimeoutError|TranscriptionJobPollingTimedOut)$/
const passingCodes = /^(?:ECONN\w+|EAI_AGAIN|ENOTFOUND|EPIPE|ETIMEDOUT|UND_ERR_\w+)$/

const textIn = (value: unknown, key: string): string | undefined =>
  Predicate.hasProperty(value, key) && Predicate.isString(value[key]) ? value[key] : undefined

/** Returns an error's response body and message, for classification. */
const answerText = (thrown: unknown): string =>
  `${textIn(thrown, "responseBody") ?? ""} ${textIn(thrown, "message") ?? ""}`

/** Returns the provider's own message, or else the SDK's. */
const messageOf = (thrown: unknown): string => {
  const body = textIn(thrown, "responseBody") ?? ""
  const { message } = readProblem(Option.getOrUndefined(viewJson.parse(body)))
  return message ?? textIn(thrown, "message") ?? body
}

/** Classifies an HTTP error, or a failed call without a response. */
const callFailure = (thrown: object, now: DateTime.Utc): ProviderError => {
  const status = viewJson(thrown).at("statusCode").number
  const detail = toLine(`${status ?? ""} ${messageOf(thrown)}`)
  const headers = Predicate.hasProperty(thrown, "responseHeaders") ? thrown.responseHeaders : {}
  const isRetryable = Predicate.hasProperty(thrown, "isRetryable") && thrown.isRetryable === true
  const meaning =
    status === undefined ? "TryAgain" : meaningOf({ status, content: answerText(thrown) })
  // The request was accepted, but the response could not be read.
  if (meaning === "Done") return providerError("Malformed", detail)
  if (meaning !== "TryAgain") return providerError(meaning, detail)
  // An immediate retry cannot fix an error that is not retryable; the job's next attempt begins
  // later.
  return isRetryable || status === undefined
    ? setback(detail, retryAfter(Predicate.isObject(headers) ? { ...headers } : {}, now))
    : providerError("Unavailable", detail)
}

const judge = (thrown: unknown, now: DateTime.Utc, depth: number): ProviderError => {
  const name = textIn(thrown, "name") ?? ""
  const within = (key: string) =>
    Predicate.hasProperty(thrown, key) && depth < depthMax && Predicate.isObject(thrown[key])
      ? judge(thrown[key], now, depth + 1)
      : undefined
  const detail = toLine(`${name} ${messageOf(thrown)}`)
  if (Predicate.isObject(thrown) && name === "AI_APICallError") return callFailure(thrown, now)
  if (name === "AI_RetryError") return within("lastError") ?? setback(detail)
  if (isBar(thrown, name)) return providerError("Barred", detail)
  if (refusals.has(name)) return providerError("Refused", detail)
  // `fetch` stores the reason in the error's `cause`.
  const isFetch = name === "TypeError" && messageOf(thrown) === "fetch failed"
  if (isFetch || passingNames.test(name) || passingCodes.test(textIn(thrown, "code") ?? "")) {
    return setback(detail)
  }
  return providerError("Malformed", detail === "" ? "the model failed" : detail)
}

const failureOf = (thrown: unknown, now: DateTime.Utc): ProviderError =>
  Result.getOrElse(
    Result.try(() => judge(thrown, now, 0)),
    () => providerError("Malformed", "the model failed")
  )
