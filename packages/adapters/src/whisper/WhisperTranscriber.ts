/**
 * Implements `Transcriber` with models on this machine, in child processes that keep their model
 * for the next recording, because loading a model takes longer than recognising a short note.
 */

import { existsSync } from "node:fs"
import { access, constants } from "node:fs/promises"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { Failure } from "@verbatim/core/attempt"
import {
  cutUnstored,
  Readiness,
  type Recognised,
  type Recognition,
  recogniseUnstored,
  type SampleRange,
  Transcriber,
  trace
} from "@verbatim/core/ports"
import {
  type DecodedAudio,
  durationMillis,
  type Language,
  languageCode,
  languages,
  millisAt,
  placePiece,
  placeVoiceprints,
  type Segment,
  tellSpeakersApart
} from "@verbatim/core/transcription"
import { Effect, Semaphore } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { languageOf } from "../engines/LanguageOfScript.ts"
import type { RecognisedPiece } from "../engines/pieces/Timeline.ts"
import { failure } from "../engines/provider/ProviderFailure.ts"
import type { Catalogue } from "./Catalogue.ts"
import { type ChildError, type ChildOptions, type HeldChild, makeChildren } from "./ChildRun.ts"
import { type Model, reportsTimes, type SpeechModel, takesKeywords } from "./Model.ts"
import { type Machine, memoryOf } from "./ModelChoice.ts"
import { pathOf, presence } from "./ModelFolder.ts"
import type { SpeechFiles } from "./Protocol.ts"
import { assignSpeakers, type Turn } from "./Speakers.ts"
import { cutPieces } from "./SpeechPieces.ts"

// The bundled speech detector, used to remove silence without a download: Silero VAD 6.2.3 for 16
// kHz, as published by its authors (MIT; the licence is next to it).

/** The published file's SHA-256 hash in hexadecimal, to verify the file. */
export const speechDetectorSha256 =
  "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49"

/**
 * Finds the speech detector's file. Returns null in a bundle that is not a module, because a
 * bundle's location is unknown.
 */
const find = (): string | null => {
  const here: string | undefined = import.meta.url
  if (here === undefined) return null
  const path = fileURLToPath(new URL("../../models/silero-vad/silero_vad_16k_op15.onnx", here))
  return existsSync(path) ? path : null
}

/** The speech detector's path, or null if a host bundled this code without it. */
export const speechDetector: string | null = find()

const { EngineFailed, EngineUnavailable, LanguageUnsupported, StorageFailed } = Failure.cases

/** Options for the transcriber. */
export interface RecogniserOptions extends ChildOptions {
  /** The model directory. */
  readonly folder: string
  readonly catalogue: Catalogue
  readonly model: SpeechModel
  /**
   * Path of a speech detection model. Default: the bundled model. If null, all audio is treated as
   * speech.
   */
  readonly speechDetector?: string | null
  readonly concurrency: Concurrency
  /** The memory that a child can use, and the cores that all children share. */
  readonly machine: Machine
}

/** How many recordings and pieces a process recognises at the same time. */
export interface Concurrency {
  readonly recordings: number
  /**
   * Maximum number of pieces of all recordings. More pieces than cores never run, because each of
   * them would send no message for so long that it counts as hanging.
   */
  readonly pieces: number
}

/**
 * Maximum number of pieces that a child recognises concurrently. Concurrent pieces share the loaded
 * model, and each takes up to 250 MB. Node's thread pool runs four of them. On two cores, two
 * pieces with one thread each took 0.53 (Moonshine tiny) and 0.42 (base) of the time of one piece
 * after the other with two threads, and half of the processor time.
 */
const piecesPerChild = 4

/**
 * Memory that each piece takes while it is recognised. The child keeps this memory. With four
 * pieces instead of one, Moonshine tiny takes 0.86 GB instead of 0.42 GB, and base 1.24 GB instead
 * of 0.56 GB.
 */
const pieceMemoryBytes = 250_000_000

/** Returns how many pieces of all recordings run at the same time: at most one per core. */
const piecesInAll = ({
  concurrency: { pieces },
  machine: { cores }
}: Pick<RecogniserOptions, "concurrency" | "machine">): number =>
  Math.max(1, Math.min(pieces, cores))

/**
 * Returns how many pieces fit into a child's memory, and the threads for each of them. The model's
 * own memory includes one piece; with keywords, the model is loaded twice.
 */
export const planPieces = (
  options: Pick<RecogniserOptions, "concurrency" | "machine" | "model">,
  hasKeywords: boolean
): { readonly atOnce: number; readonly threads: number } => {
  const { concurrency, machine, model } = options
  const free = machine.memoryBytes - memoryOf(model) * (hasKeywords ? 2 : 1)
  const fitting = 1 + Math.max(0, Math.floor(free / pieceMemoryBytes))
  const pieces = piecesInAll(options)
  const atOnce = Math.min(fitting, piecesPerChild, pieces)
  const all = Math.min(concurrency.recordings * atOnce, pieces)
  return { atOnce, threads: Math.max(1, Math.floor(machine.cores / all)) }
}

/** The engine's name in job histories. */
const engineOf = ({ name }: Pick<Model, "name">): string => `sherpa-onnx ${name}`

/** Returns the languages that can be requested. */
const languagesOf = ({ languages: own }: Model): ReadonlyArray<Language> =>
  own === undefined ? languages : languages.filter((language) => own.includes(language))

const filesOf = ({ folder, model }: RecogniserOptions): SpeechFiles => ({
  kind: model.kind,
  files: Object.fromEntries(
    model.files.map((file) => [file.role, pathOf(folder, { model, file })] as const)
  )
})

/** Returns the first installed voice model, if one is needed. */
const findVoiceModel = Effect.fnUntraced(function* (
  { isDiarized }: Recognition,
  { catalogue, folder }: RecogniserOptions
) {
  if (!isDiarized) return null
  const [model] = yield* Effect.filter(
    catalogue.filter(({ kind }) => kind === "embedding"),
    (each) => Effect.map(presence(folder, each), (state) => state === "installed")
  )
  const [file] = model?.files ?? []
  if (model === undefined || file === undefined) return null
  return { path: pathOf(folder, { model, file }), ...file }
})

type VoiceModel = Effect.Success<ReturnType<typeof findVoiceModel>>

/** Sorts segments by time and clamps them to the audio. */
const sortAndClamp = (segments: ReadonlyArray<Segment>, end: number): ReadonlyArray<Segment> => {
  let latest = 0
  return segments
    .toSorted((a, b) => a.startMillis - b.startMillis)
    .map((segment) => {
      latest = Math.min(Math.max(segment.startMillis, latest), end)
      const endMillis = Math.min(Math.max(segment.endMillis, latest), end)
      return { ...segment, startMillis: latest, endMillis }
    })
}

/**
 * Returns the language that the model reports, or else its only language, or else one guessed from
 * the script.
 */
const detectLanguage = (pieces: ReadonlyArray<RecognisedPiece>, model: Model): string => {
  const spoken = pieces.map(({ result }) => result).filter(({ segments }) => segments.length > 0)
  const [only, ...others] = model.languages ?? []
  const isKnown = spoken.every(({ language }) => language === undefined) && others.length === 0
  return isKnown && only !== undefined ? languageCode(only) : languageOf(spoken)
}

const toTranscriberError = ({ detail, reason }: ChildError) =>
  reason === "Unstartable"
    ? failure(EngineUnavailable.make({ detail }))
    : failure(EngineFailed.make({ detail }))

/**
 * Checks the audio file before a child starts, because a missing file is not the engine's fault.
 */
const checkReadable = ({ path }: DecodedAudio) =>
  Effect.tryPromise({
    try: () => access(path, constants.R_OK),
    catch: (cause) => failure(StorageFailed.make({ detail: String(Object(cause).code) }))
  })

interface Recogniser {
  readonly child: HeldChild
  readonly options: RecogniserOptions
  /** One permit for each piece that can run. */
  readonly permits: Semaphore.Semaphore
  readonly voiceModel: VoiceModel
}

/** Finds the speech in a recording, cuts it into pieces, and recognises them. */
const recogniseSpeech = Effect.fnUntraced(function* (
  recognition: Recognition,
  { child, options, permits, voiceModel }: Recogniser
) {
  const { audio, isVadFiltered, language, onProgress = () => Effect.void } = recognition
  const keywords = takesKeywords(options.model) ? (recognition.keywords ?? []) : []
  const { model, speechDetector: vadModel = speechDetector } = options
  const { atOnce, threads } = planPieces(options, keywords.length > 0)
  const { cutOnce = cutUnstored, recognisePieces = recogniseUnstored } = recognition
  const { path: audioPath, sampleCount } = audio
  const detector = vadModel === null ? null : basename(vadModel)
  const hasTimes = reportsTimes(model)
  yield* onProgress(0)
  const detected =
    vadModel === null
      ? Effect.succeed([{ from: 0, to: sampleCount }])
      : child.request("Detect", { audioPath, sampleCount, vadModel })
  const cut = yield* cutOnce(
    JSON.stringify([detector, isVadFiltered, hasTimes]),
    Effect.map(detected, (speech) => cutPieces({ sampleCount, speech, isVadFiltered, hasTimes }))
  )
  const recognise = (piece: SampleRange) => {
    const pieceMillis = millisAt(piece.to) - millisAt(piece.from)
    const request = {
      ...{ model: filesOf(options), threads, language, keywords },
      voiceModel: voiceModel?.path ?? null
    }
    const given = { ...request, audioPath, piece, pieceMillis }
    const recognised = permits.withPermit(child.request("Recognise", given))
    return Effect.mapError(recognised, toTranscriberError)
  }
  const hashes = model.files.map(({ sha256 }) => sha256)
  const results = yield* recognisePieces({
    cut,
    settings: JSON.stringify([
      ...[engineOf(model), hashes, language, detector, keywords],
      voiceModel?.sha256 ?? null
    ]),
    atOnce,
    onProgress,
    recognise
  })
  return results.map((result, index): RecognisedPiece => {
    const { from, to } = cut[index] ?? { from: 0, to: 0 }
    return { startMillis: millisAt(from), endMillis: millisAt(to), result }
  })
})

/**
 * Finds the speakers for all voiceprints. The result does not depend on how the pieces were
 * recognised.
 */
const findTurns = (
  pieces: ReadonlyArray<RecognisedPiece>,
  recognition: Recognition
): ReadonlyArray<Turn> => {
  const voiceprints = pieces.flatMap(placeVoiceprints)
  const speakers = tellSpeakersApart(voiceprints, recognition)
  return voiceprints.map(({ vector: _, ...range }, at) => ({
    ...range,
    speaker: speakers[at] ?? 0
  }))
}

const recognise = Effect.fnUntraced(function* (
  recognition: Recognition,
  recogniser: Omit<Recogniser, "voiceModel">
) {
  const { audio, language, onProgress = () => Effect.void } = recognition
  const { speakerCount, speakerCountMax, speakerCountMin } = recognition
  const { model } = recogniser.options
  const voiceModel = yield* findVoiceModel(recognition, recogniser.options)
  const pieces = yield* recogniseSpeech(recognition, { ...recogniser, voiceModel })
  yield* onProgress(1)
  const known = language ?? detectLanguage(pieces, model)
  const turns = voiceModel === null ? [] : findTurns(pieces, recognition)
  const segments = assignSpeakers(pieces.flatMap(placePiece), turns)
  const isCounted = (speakerCount ?? speakerCountMin ?? speakerCountMax) !== undefined
  const recognised: Recognised = {
    engine: engineOf(model),
    language: known,
    segments: sortAndClamp(segments, durationMillis(audio)),
    ...(takesKeywords(model) && recognition.keywords?.length && { areKeywordsUsed: true }),
    ...(voiceModel !== null && isCounted && { isSpeakerCountUsed: true }),
    ...(recognition.isDiarized && voiceModel === null && { areSpeakersUnknown: true })
  }
  return recognised
})

/** Creates a transcriber for a model. The files of the model are checked before each recording. */
export const make = Effect.fnUntraced(function* (options: RecogniserOptions) {
  const context = yield* Effect.context<ChildProcessSpawner.ChildProcessSpawner>()
  const { folder, model } = options
  const { hold } = yield* makeChildren(options)
  const permits = yield* Semaphore.make(piecesInAll(options))

  const transcribe = trace("WhisperTranscriber.transcribe")(
    function* (recognition: Recognition) {
      const { audio, language } = recognition
      if (language !== null && !languagesOf(model).includes(language)) {
        return yield* failure(LanguageUnsupported.make({ language }))
      }
      if ((yield* presence(folder, model)) !== "installed") {
        return yield* failure(EngineUnavailable.make({ detail: notInstalledMessage(model) }))
      }
      yield* checkReadable(audio)
      return yield* Effect.flatMap(hold, (child) =>
        recognise(recognition, { child, options, permits })
      ).pipe(Effect.catchTag("ChildError", (error) => Effect.fail(toTranscriberError(error))))
    },
    Effect.scoped,
    Effect.provide(context)
  )

  const readiness = Effect.map(presence(folder, model), (state) =>
    state === "installed"
      ? Readiness.cases.Ready.make({ engine: engineOf(model) })
      : Readiness.cases.Unavailable.make({ sentence: notInstalledMessage(model) })
  )

  return Transcriber.of({ readiness, transcribe })
})

/** Returns the message that states what is missing and what to do. */
export const notInstalledMessage = ({ name }: Pick<Model, "name">): string =>
  `The model ${name} is not installed: run \`verbatim engines install ${name}\`.`
