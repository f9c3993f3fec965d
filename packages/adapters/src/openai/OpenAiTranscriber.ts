/**
 * Recognises speech on any server that speaks OpenAI's protocol: OpenAI itself, whisper.cpp, the
 * faster-whisper family. Audio above the limit of a request is cut where it is quiet, sent piece by
 * piece, and put together again.
 */

import { Failure } from "@verbatim/core/attempt"
import { Readiness, type Recognition, Transcriber, trace } from "@verbatim/core/ports"
import { durationMillis, sampleRate } from "@verbatim/core/transcription"
import { Effect, FileSystem } from "effect"
import { SecureRandom } from "effect/crypto"
import { languageOf } from "../engines/LanguageOfScript.ts"
import {
  type AudioPiece,
  answerTimeout,
  bytesPerSecond,
  millisAt,
  open,
  type Recording,
  samplesMin,
  soundMillisMin,
  uploadBytesMax
} from "../engines/pieces/Recording.ts"
import { type HeardPiece, segmentsOf } from "../engines/pieces/Timeline.ts"
import { heardIn } from "../engines/pieces/TranscriptionAnswer.ts"
import { sampleBytes } from "../engines/pieces/Wave.ts"
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
import type { Provider } from "./Provider.ts"

const { EngineFailed } = Failure.cases

/** What an operator chooses. */
export interface TranscriberOptions {
  readonly model: string
  readonly dialect: DialectName
  /** Bytes of one request, the form included. OpenAI takes 25 MB, read as the smaller megabyte. */
  readonly uploadBytesMax?: number
}

/** The form around a file: fields, of which the prompt is 16 KiB at most, and their headers. */
const formBytesMax = 64 * 1024

/** Answers in plain `json` carry no times, so the times of pieces of half a minute serve. */
const timelessSecondsMax = 30

/** Words with all their details take a kilobyte a second; sixteen are generous. */
const answerBytesPerSecond = 16 * 1024
const answerBytesMin = 1024 * 1024

/** How many samples one request may hold. */
const sampleMaxOf = (options: TranscriberOptions, isDiarized: boolean): number => {
  const format = formatOf(options.model)
  const areVoicesSent = format === "diarized_json" && isDiarized
  const voices = areVoicesSent ? voiceMax * sampleBytesMax(bytesPerSecond) : 0
  const bytes = (options.uploadBytesMax ?? uploadBytesMax) - formBytesMax - voices
  const samples = Math.max(Math.floor(bytes / sampleBytes), samplesMin)
  return format === "json" ? Math.min(samples, timelessSecondsMax * sampleRate) : samples
}

/** The transcriber over a provider. */
export const make = Effect.fnUntraced(function* (provider: Provider, options: TranscriberOptions) {
  const fs = yield* FileSystem.FileSystem
  const random = yield* SecureRandom.SecureRandom
  const { dialect, model } = options
  const engine = `openai ${model}`
  const areVoicesSent = formatOf(model) === "diarized_json"

  const voicesOf = (recording: Recording, samples: ReadonlyArray<Sample>) =>
    Effect.forEach(samples, (sample) =>
      Effect.map(Effect.mapError(recording.dataUrl(sample), toStorageError), (url) => ({
        name: sample.name,
        sample: url
      }))
    )

  /** One request about one piece. */
  const hear = Effect.fnUntraced(function* (
    { recording, wishes }: { recording: Recording; wishes: Recognition },
    { piece, samples }: { piece: AudioPiece; samples: ReadonlyArray<Sample> }
  ) {
    const voices = yield* voicesOf(recording, samples)
    const boundary = `verbatim-${yield* random.uuidV4()}`
    const wave = recording.wave(piece)
    const form = multipartBody({
      boundary,
      fields: fieldsOf({ dialect, model, wishes, voices }),
      file: { name: "audio.wav", contentType: "audio/wav", ...wave }
    })
    const seconds = (piece.to - piece.from) / sampleRate
    const json = yield* provider
      .ask({
        ...form,
        path: pathOf(dialect, provider.url),
        answerBytesMax: answerBytesMin + Math.ceil(seconds * answerBytesPerSecond),
        timeout: answerTimeout({ seconds, bytes: form.byteLength })
      })
      .pipe(
        Effect.catchTags({
          ProviderError: (error) => Effect.fail(toTranscriberError(error, wishes)),
          PlatformError: (error) => Effect.fail(toStorageError(error))
        })
      )
    const heard = yield* Effect.mapError(Effect.fromResult(heardIn(json, seconds)), (detail) =>
      failure(EngineFailed.make({ detail }))
    )
    return {
      startMillis: millisAt(piece.from),
      endMillis: millisAt(piece.to),
      heard,
      known: new Set(samples.map(({ name }) => name))
    } satisfies HeardPiece
  })

  const transcribe = trace("OpenAiTranscriber.transcribe")(
    function* (wishes: Recognition) {
      const { audio, isDiarized, onProgress = () => Effect.void } = wishes
      const recording = yield* Effect.mapError(open(audio), toStorageError)
      const sampleMax = sampleMaxOf(options, isDiarized)
      const pieces: Array<HeardPiece> = []
      // One after the other: the voices of one piece are known in the next.
      let from = durationMillis(audio) < soundMillisMin ? audio.sampleCount : 0
      while (from < audio.sampleCount) {
        const piece = yield* Effect.mapError(recording.next(from, sampleMax), toStorageError)
        const samples =
          areVoicesSent && isDiarized ? samplesOf(segmentsOf(pieces, { isDiarized })) : []
        pieces.push(yield* hear({ recording, wishes }, { piece, samples }))
        from = piece.to
        yield* onProgress(Math.min(1, from / audio.sampleCount))
      }
      const segments = segmentsOf(pieces, { isDiarized })
      const language = wishes.language ?? languageOf(pieces.map(({ heard }) => heard))
      const { keywords = [] } = wishes
      const areKeywordsUsed = keywords.length > 0 && takesKeywords(model)
      return { engine, language, segments, ...(areKeywordsUsed ? { areKeywordsUsed } : {}) }
    },
    Effect.provideService(FileSystem.FileSystem, fs)
  )

  const readiness = Effect.succeed(
    provider.isOpenai && !provider.hasKey
      ? Readiness.cases.Unavailable.make({ sentence: keyless })
      : Readiness.cases.Ready.make({ engine })
  )
  return Transcriber.of({ readiness, transcribe })
})

/** What the operator has to do. */
export const keyless =
  "OpenAI needs a key: set VERBATIM_OPENAI_API_KEY, or VERBATIM_OPENAI_BASE_URL for another server."
