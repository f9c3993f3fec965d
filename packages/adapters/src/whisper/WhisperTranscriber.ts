/**
 * Implements `Transcriber` with models on this machine, in child processes that keep their model
 * for the next recording, because loading a model takes longer than recognising a short note.
 */

import { existsSync } from "node:fs"
import { access, constants } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Failure } from "@verbatim/core/attempt"
import {
  Readiness,
  type Recognised,
  type Recognition,
  Transcriber,
  trace
} from "@verbatim/core/ports"
import {
  type DecodedAudio,
  durationMillis,
  isSpaced,
  type Language,
  languageCode,
  languages,
  type Segment
} from "@verbatim/core/transcription"
import { Effect, Option } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { languageOfScript } from "../engines/LanguageOfScript.ts"
import { failure } from "../engines/provider/ProviderFailure.ts"
import * as Catalogue from "./Catalogue.ts"
import { type ChildError, type ChildOptions, type ChildResult, makeChildren } from "./ChildRun.ts"
import type { Model, SpeechModel } from "./Model.ts"
import { pathOf, presence } from "./ModelFolder.ts"
import type { SpeechFiles, Task } from "./Protocol.ts"
import { assignSpeakers } from "./Speakers.ts"

// The bundled speech detector, with which silence is left out even before any download: Silero VAD
// 6.2.3 for 16 kHz, as published by its authors (MIT; the licence is next to it).

/** The SHA-256 of the published file in hexadecimal, to verify it. */
export const speechDetectorSha256 =
  "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49"

/**
 * Finds the bundled file. Returns null for a bundle that is not a module, because its location is
 * unknown.
 */
const find = (): string | null => {
  const here: string | undefined = import.meta.url
  if (here === undefined) return null
  const path = fileURLToPath(new URL("../../models/silero-vad/silero_vad_16k_op15.onnx", here))
  return existsSync(path) ? path : null
}

/** The path of the speech detector, or null if a host bundled this code without it. */
export const speechDetector: string | null = find()

const { EngineFailed, EngineUnavailable, LanguageUnsupported, StorageFailed } = Failure.cases

/** Options of the transcriber. */
export interface RecogniserOptions extends ChildOptions {
  /** The model directory. */
  readonly folder: string
  readonly catalogue: Catalogue.Catalogue
  readonly model: SpeechModel
  /**
   * Path of a speech detection model. Default: the bundled model. With null, all audio counts as
   * speech.
   */
  readonly speechDetector?: string | null
  /** Processor threads per child. */
  readonly threads: number
}

/** The engine name in job histories. */
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

/** Returns the single file of a companion model, if it is installed. */
const findCompanion = Effect.fnUntraced(function* (
  name: string,
  { catalogue, folder }: RecogniserOptions
) {
  const found = Catalogue.find(catalogue, name)
  const [file] = Option.isSome(found) ? found.value.files : []
  if (Option.isNone(found) || file === undefined) return null
  const state = yield* presence(folder, found.value)
  return state === "installed" ? join(folder, found.value.name, file.name) : null
})

/** Builds the task for a child. */
const taskOf = Effect.fnUntraced(function* (
  { audio, isDiarized, isVadFiltered, language, speakerCount }: Recognition,
  options: RecogniserOptions
) {
  const { speechDetector: vadModel = speechDetector } = options
  const segmentation = isDiarized ? yield* findCompanion("segmentation", options) : null
  const embedding = isDiarized ? yield* findCompanion("embedding", options) : null
  return {
    audioPath: audio.path,
    sampleCount: audio.sampleCount,
    model: filesOf(options),
    threads: options.threads,
    language,
    isVadFiltered,
    vadModel,
    diarization:
      segmentation === null || embedding === null
        ? null
        : { segmentation, embedding, speakerCount: speakerCount ?? null }
  } satisfies Omit<Task, "number">
})

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
 * Returns the language that the model reports, or else its only language, or else a language
 * guessed from the script.
 */
const detectedLanguage = ({ language, spoken }: ChildResult, model: Model): string => {
  if (language !== null) return languageCode(language)
  const [only, ...others] = model.languages ?? []
  if (only !== undefined && others.length === 0) return languageCode(only)
  return languageOfScript(spoken.map(({ text }) => text).join(" "))
}

const recognisedFrom = (
  found: ChildResult,
  { audio, language, model }: Pick<Recognition, "audio" | "language"> & { readonly model: Model }
): Recognised => {
  const known = language ?? detectedLanguage(found, model)
  const separator = isSpaced(known) ? " " : ""
  const segments = assignSpeakers(found.spoken, { turns: found.turns ?? [], separator })
  return {
    engine: engineOf(model),
    language: known,
    segments: sortAndClamp(segments, durationMillis(audio))
  }
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

/** Makes the transcriber for a model. The model's files are checked again for each recording. */
export const make = Effect.fnUntraced(function* (options: RecogniserOptions) {
  const context = yield* Effect.context<ChildProcessSpawner.ChildProcessSpawner>()
  const { folder, model } = options
  const children = yield* makeChildren(options)

  const transcribe = trace("WhisperTranscriber.transcribe")(function* (recognition: Recognition) {
    const { audio, language } = recognition
    if (language !== null && !languagesOf(model).includes(language)) {
      return yield* failure(LanguageUnsupported.make({ language }))
    }
    if ((yield* presence(folder, model)) !== "installed") {
      return yield* failure(EngineUnavailable.make({ detail: notInstalledMessage(model) }))
    }
    yield* checkReadable(audio)
    const task = yield* taskOf(recognition, options)
    const onProgress = recognition.onProgress ?? (() => Effect.void)
    const found = yield* children.run(task, onProgress).pipe(Effect.mapError(toTranscriberError))
    const recognised = recognisedFrom(found, { audio, language, model })
    const isSpeakerCountUsed = task.diarization !== null && task.diarization.speakerCount !== null
    return isSpeakerCountUsed ? { ...recognised, isSpeakerCountUsed } : recognised
  }, Effect.provide(context))

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
