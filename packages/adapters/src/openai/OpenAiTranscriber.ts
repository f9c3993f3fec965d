/**
 * Recognises speech with any server that uses OpenAI's protocol: OpenAI, whisper.cpp, the
 * faster-whisper family. A recording is cut at quiet points and sent in pieces, and the results are
 * merged.
 */

import { Failure } from "@verbatim/core/attempt"
import {
  Readiness,
  type Recognition,
  type SampleRange,
  Transcriber,
  trace
} from "@verbatim/core/ports"
import { millisAt, sampleRate } from "@verbatim/core/transcription"
import { Effect, FileSystem } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  answerTimeout,
  bytesPerSecond,
  type Recording,
  samplesMin,
  uploadBytesMax
} from "../engines/pieces/Recording.ts"
import {
  pieceSamplesMax,
  type RecognisedPiece,
  recognisePieces,
  segmentsOf,
  toPieceResult
} from "../engines/pieces/Timeline.ts"
import { parseAnswer } from "../engines/pieces/TranscriptionAnswer.ts"
import { sampleBytes } from "../engines/pieces/Wave.ts"
import { annotateCall } from "../engines/provider/annotateCall.ts"
import { failure, toStorageError, toTranscriberError } from "../engines/provider/ProviderFailure.ts"
import {
  type DialectName,
  fieldsOf,
  formatOf,
  multipartBody,
  pathOf,
  type Sample,
  sampleBytesMax,
  samplesOf,
  takesKeywords,
  voiceMax
} from "./Dialect.ts"
import { nameOf, type Provider } from "./Provider.ts"

const { EngineFailed } = Failure.cases

/** Options for the transcriber. */
export interface TranscriberOptions {
  readonly model: string
  readonly dialect: DialectName
  /**
   * Maximum size of one request in bytes, including the form around the file. OpenAI's limit of 25
   * MB is taken to mean decimal megabytes.
   */
  readonly maxUploadBytes?: number
}

/**
 * Maximum size in bytes of the form around a file: the fields, including a prompt of up to 16 KiB,
 * and the headers.
 */
const formBytesMax = 64 * 1024

/**
 * Maximum response bytes per second of audio. A response with all details of each word takes 1 KiB
 * per second, so 16 KiB leaves a large margin.
 */
const answerBytesPerSecond = 16 * 1024
const answerBytesMin = 1024 * 1024

const sampleMaxOf = (options: TranscriberOptions, isDiarized: boolean): number => {
  const format = formatOf(options.model)
  const areVoicesSent = format === "diarized_json" && isDiarized
  const voices = areVoicesSent ? voiceMax * sampleBytesMax(bytesPerSecond) : 0
  const bytes = (options.maxUploadBytes ?? uploadBytesMax) - formBytesMax - voices
  const samples = Math.max(Math.floor(bytes / sampleBytes), samplesMin)
  return areVoicesSent ? samples : Math.min(samples, pieceSamplesMax)
}

/** The audio and settings for the request that transcribes one piece. */
interface PieceRequest {
  readonly recording: Recording
  readonly piece: SampleRange
  readonly settings: Recognition
  /** Voice samples from earlier pieces. */
  readonly samples: ReadonlyArray<Sample>
  readonly boundary: string
}

/** Sends one piece and parses the response. */
const send = Effect.fnUntraced(function* (
  { options, provider }: { readonly provider: Provider; readonly options: TranscriberOptions },
  { boundary, piece, recording, samples, settings }: PieceRequest
) {
  const { dialect, model } = options
  const voices = yield* Effect.forEach(samples, (sample) =>
    Effect.map(Effect.mapError(recording.dataUrl(sample), toStorageError), (url) => ({
      name: sample.name,
      sample: url
    }))
  )
  const form = multipartBody({
    boundary,
    fields: fieldsOf({ dialect, model, settings, voices }),
    file: { name: "audio.wav", contentType: "audio/wav", ...recording.wave(piece) }
  })
  const seconds = (piece.to - piece.from) / sampleRate
  const json = yield* provider
    .send({
      ...form,
      path: pathOf(dialect, provider.url),
      maxAnswerBytes: answerBytesMin + Math.ceil(seconds * answerBytesPerSecond),
      timeout: answerTimeout({ seconds, bytes: form.byteLength })
    })
    .pipe(
      Effect.catchTags({
        ProviderError: (error) => Effect.fail(toTranscriberError(error, settings)),
        PlatformError: (error) => Effect.fail(toStorageError(error))
      })
    )
  return yield* Effect.mapError(Effect.fromResult(parseAnswer(json, seconds)), (detail) =>
    failure(EngineFailed.make({ detail }))
  )
})

/** Creates a transcriber that uses the given provider. */
export const make = Effect.fnUntraced(function* (provider: Provider, options: TranscriberOptions) {
  const fs = yield* FileSystem.FileSystem
  const random = yield* SecureRandom.SecureRandom
  const { model } = options
  const engine = `openai ${model}`

  const recognisePiece = Effect.fnUntraced(function* (
    request: Pick<PieceRequest, "recording" | "piece" | "settings">,
    before: ReadonlyArray<RecognisedPiece>
  ) {
    const isDiarized = formatOf(model) === "diarized_json" && request.settings.isDiarized
    const samples = isDiarized ? samplesOf(segmentsOf(before, { isDiarized })) : []
    const boundary = `verbatim-${yield* random.uuidV4()}`
    const answer = yield* send({ provider, options }, { ...request, samples, boundary })
    const { from, to } = request.piece
    return toPieceResult(answer, {
      known: new Set(samples.map(({ name }) => name)),
      millis: millisAt(to) - millisAt(from)
    })
  })

  const transcribe = trace("OpenAiTranscriber.transcribe")(
    function* (settings: Recognition) {
      yield* annotateCall({ operation: "transcription", provider: nameOf(provider), model })
      const recognised = yield* recognisePieces(settings, {
        engine,
        sampleMax: sampleMaxOf(options, settings.isDiarized),
        settings: [provider.url, options.dialect],
        // Servers other than OpenAI's often recognise one file at a time, so other pieces would
        // wait too long. If speakers are requested, each piece is sent with voice samples from
        // earlier pieces.
        ...(provider.isOpenai ? {} : { atOnce: 1 }),
        isInContext: formatOf(model) === "diarized_json" && settings.isDiarized,
        recognisePiece: (recording, piece, before) =>
          recognisePiece({ recording, piece, settings }, before)
      })
      const { keywords = [] } = settings
      const areKeywordsUsed = keywords.length > 0 && takesKeywords(model)
      return { ...recognised, ...(areKeywordsUsed ? { areKeywordsUsed } : {}) }
    },
    Effect.provideService(FileSystem.FileSystem, fs)
  )

  const readiness = Effect.succeed(
    provider.isOpenai && !provider.hasKey
      ? Readiness.cases.Unavailable.make({ sentence: missingKeySentence })
      : Readiness.cases.Ready.make({ engine })
  )
  return Transcriber.of({ readiness, transcribe })
})

/** The readiness message if there is no API key. */
export const missingKeySentence =
  "OpenAI needs a key: set VERBATIM_OPENAI_API_KEY, or VERBATIM_OPENAI_BASE_URL for another server."
