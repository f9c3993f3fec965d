/** Creates the engines of a server by name. To add an engine, add a row here. */

import {
  ChannelSpeakers,
  FallbackTranscriber,
  SubstituteTranscriber
} from "@verbatim/adapters/engines"
import * as Ffmpeg from "@verbatim/adapters/ffmpeg"
import * as LexRank from "@verbatim/adapters/lexrank"
import * as OpenAi from "@verbatim/adapters/openai"
import * as Pocketsphinx from "@verbatim/adapters/pocketsphinx"
import * as Whisper from "@verbatim/adapters/whisper"
import type { Summarizer, Transcriber } from "@verbatim/core/ports"
import { findNearestName } from "@verbatim/core/schema"
import type { Language } from "@verbatim/core/transcription"
import { worker as workerOf } from "@verbatim/embed/effect"
import { Array, Effect, Layer, Option } from "effect"
import type { SecureRandom } from "effect/crypto"
import type {
  Configuration,
  SummarizerName,
  TranscriberName,
  TranscriberNames
} from "./Configuration.ts"

/** The settings that engines need. */
interface EngineOptions
  extends Pick<
    Configuration,
    | "allowedNetworks"
    | "model"
    | "modelDirectory"
    | "modelSource"
    | "pieces"
    | "transcribeConcurrency"
  > {
  /** The folder for models and unpacked engines, which can be deleted at any time. */
  readonly cacheDirectory: string
  readonly openai: Configuration["openai"]
  /** Whether `auto` downloads missing engines. Default: true. */
  readonly installs?: boolean
}

type Engine<Port> = (options: EngineOptions) => Layer.Layer<Port, never, SecureRandom.SecureRandom>

const { automatic } = Whisper.ModelChoice

const report = (line: string) => Effect.logInfo(line)

/**
 * Describes the machine, so that a model can be chosen for it. All transcriptions share its memory.
 */
const machineOf = ({ transcribeConcurrency }: Pick<EngineOptions, "transcribeConcurrency">) =>
  Whisper.measureMachine(transcribeConcurrency)

/** Runs models in child processes. */
const whisper = (options: EngineOptions, installs: boolean) =>
  Whisper.layer({
    ...options,
    machine: machineOf(options),
    guard: { allowedNetworks: options.allowedNetworks },
    concurrency: { recordings: options.transcribeConcurrency, pieces: options.pieces.atOnce },
    installs,
    report
  })

/** The speech recognition engines. `auto` installs an engine if none is installed. */
const transcribers = {
  auto: (options) =>
    SubstituteTranscriber.layer({
      wanted: whisper(options, options.installs !== false),
      name: options.model === automatic ? "a local model" : options.model,
      substitute: Pocketsphinx.layer({ ...options, installs: options.installs !== false, report }),
      substituteName: "PocketSphinx (only English, no punctuation)"
    }),
  openai: ({ openai }) => OpenAi.transcriber(openai.transcription),
  pocketsphinx: (options) => Pocketsphinx.layer({ ...options, installs: false, report }),
  whisper: (options) => whisper(options, false)
} satisfies Record<TranscriberName, Engine<Transcriber>>

/**
 * The summary engines. `auto` uses a language model if one is set, and otherwise LexRank, which
 * needs no model.
 */
const summarizers = {
  auto: ({ openai }) =>
    openai.summary.isChosen ? OpenAi.summarizer(openai.summary) : LexRank.layer,
  lexrank: () => LexRank.layer,
  openai: ({ openai }) => OpenAi.summarizer(openai.summary)
} satisfies Record<SummarizerName, Engine<Summarizer>>

/** Combines the named engines. Work goes to the first engine that is ready and accepts it. */
export const transcriber = (
  names: TranscriberNames,
  options: EngineOptions
): ReturnType<Engine<Transcriber>> =>
  FallbackTranscriber.layer(Array.map(names, (name) => transcribers[name](options)))

/**
 * Returns a sentence if no catalogue contains the configured model. Returns `none` if one does, or
 * if no model is used.
 */
export const findUnknownModel = Effect.fnUntraced(function* ({
  model,
  modelDirectory,
  roles,
  transcribers
}: Configuration): Effect.fn.Return<Option.Option<string>> {
  const isUsed = roles.has("worker") && transcribers.some((each) => usesModel.has(each))
  if (!isUsed) return Option.none()
  const catalogue = yield* Whisper.ModelFolder.catalogue(modelDirectory)
  const names = catalogue.filter(Whisper.isSpeech).map(({ name }) => name)
  if (model === automatic || names.includes(model)) return Option.none()
  const meant = findNearestName(model, [automatic, ...names])
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`
  return Option.some(`VERBATIM_MODEL must be ${automatic}, or one of ${names.join(", ")}.${hint}`)
})

/**
 * Lists the models that fit this machine, with their languages. The list is empty if the operator
 * has chosen a model, or if no model is used.
 */
export const describeModels = Effect.fnUntraced(function* (
  settings: Pick<
    Configuration,
    "model" | "modelDirectory" | "transcribeConcurrency" | "transcribers"
  >
) {
  const { model: chosen, modelDirectory, transcribers } = settings
  if (chosen !== automatic || !transcribers.some((each) => usesModel.has(each))) return []
  const catalogue = yield* Whisper.ModelFolder.catalogue(modelDirectory)
  const machine = machineOf(settings)
  const gigabytes = (machine.memoryBytes / 1e9).toFixed(1)
  const choices = Whisper.ModelChoice.chooseModels({ catalogue, machine })
  return yield* Effect.forEach(choices, ({ languages, model }) =>
    Effect.map(Whisper.ModelFolder.presence(modelDirectory, model), (state) => {
      const install = state === "installed" ? "" : `: verbatim engines install ${model.name}`
      const machineText = `${gigabytes} GB and ${machine.cores} cores`
      const use = `is best for ${listLanguages(languages)} with ${machineText}`
      return `${model.name} ${use} (${state})${install}`
    })
  )
})

/** Maximum number of languages to name. Of a longer list, only the length is shown. */
const listedMax = 3

const displayNames = new Intl.DisplayNames(["en"], { type: "language" })

const listLanguages = (languages: ReadonlyArray<Language | null>): string => {
  const known = languages.filter((language) => language !== null)
  const names =
    known.length > listedMax
      ? [`${known.length} languages`]
      : known.map((code) => displayNames.of(code) ?? code)
  return [...names, ...(languages.includes(null) ? ["an unknown language"] : [])].join(", ")
}

const usesModel: ReadonlySet<TranscriberName> = new Set(["auto", "whisper"])

/** Installs PocketSphinx and reports each step, for `verbatim engines install`. */
export const install = Pocketsphinx.install

/** Provides the engines and the decoder. A caller can pass its own transcriber. */
const engines = (
  configuration: Configuration,
  recognition = transcriber(configuration.transcribers, configuration)
) =>
  Layer.mergeAll(
    ChannelSpeakers.wrap(recognition),
    summarizers[configuration.summarizer](configuration),
    Ffmpeg.layer({ directory: configuration.workDirectory })
  )

/** Runs the worker with engines that the caller provides. */
export const work = ({ pieces, transcribeConcurrency: count }: Configuration) =>
  workerOf({ concurrency: { Transcribe: count, Summarize: count }, pieces })

/** Runs the worker with the configured engines. */
export const worker = (
  configuration: Configuration,
  recognition?: ReturnType<typeof transcriber>
) => Layer.provideMerge(work(configuration), engines(configuration, recognition))
