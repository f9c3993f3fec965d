/**
 * Recognises speech with a transcription model of the AI SDK from any provider. A recording is cut
 * at quiet points, several pieces are recognised concurrently, and their times are merged.
 */
import {
  Readiness,
  type Recognition,
  type SampleRange,
  Transcriber,
  trace
} from "@verbatim/core/ports"
import { millisAt, sampleRate } from "@verbatim/core/transcription"
import { DateTime, Effect, FileSystem, identity, Result, Stream } from "effect"
import { makeUnavailable } from "../engines/EngineInstallation.ts"
import {
  answerTimeout,
  type Recording,
  samplesMin,
  uploadBytesMax
} from "../engines/pieces/Recording.ts"
import { pieceSamplesMax, recognisePieces, toPieceResult } from "../engines/pieces/Timeline.ts"
import { headerBytes, sampleBytes } from "../engines/pieces/Wave.ts"
import {
  providerError,
  type Retries,
  retries,
  setback,
  toStorageError,
  toTranscriberError,
  tryAgain
} from "../engines/provider/ProviderFailure.ts"
import { parseResult } from "./ModelAnswer.ts"
import { failureOf } from "./ModelFailure.ts"
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
import { hasSpeakers } from "./Speakers.ts"

/** Options for calls to the model. */
export interface CallOptions {
  /**
   * Provider options, or a function that derives them from a job's settings. These options override
   * Verbatim's own.
   */
  readonly providerOptions?: ProviderOptions | ((settings: RecognitionSettings) => ProviderOptions)
  /** Extra headers, sent only by models that use HTTP. */
  readonly headers?: Readonly<Record<string, string>>
  /** Maximum bytes of a file sent in one call. Speakers are told apart only within one file. */
  readonly maxPieceBytes?: number
  /** Maximum number of pieces recognised concurrently, each held in memory. */
  readonly pieceConcurrency?: number
  readonly retries?: Retries
}

/** Default number of concurrent pieces. Two pieces of the usual size take 50 MB. */
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

/** Returns the host's options for the provider. */
const hostOptions = (
  { providerOptions = {} }: CallOptions,
  settings: RecognitionSettings
): ProviderOptions =>
  typeof providerOptions === "function" ? providerOptions(settings) : providerOptions

/** Calls the model once and validates its answer. */
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

/** Makes the transcriber for a model. */
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
      // Pieces are larger if speakers are requested by the job or the host's options, because
      // providers match speakers only within one file.
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
