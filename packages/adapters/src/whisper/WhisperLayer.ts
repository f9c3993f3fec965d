/**
 * Provides the transcriber for the configured model. The transcriber is ready immediately if the
 * model is installed, and later if the model is being downloaded. Otherwise, the transcriber is
 * unavailable, and its message says how to install the model.
 */

import { availableParallelism } from "node:os"
import { availableMemory } from "node:process"
import { Transcriber } from "@verbatim/core/ports"
import { Effect, Layer, Option } from "effect"
import {
  makeInstallingEngine,
  makePreparing,
  makeUnavailable
} from "../engines/EngineInstallation.ts"
import type { Guard } from "../net/index.ts"
import { installSentence, isInstalled } from "../packages/OptionalPackage.ts"
import { platform } from "../processes/Command.ts"
import * as AutomaticTranscriber from "./AutomaticTranscriber.ts"
import * as Catalogue from "./Catalogue.ts"
import * as ChildRun from "./ChildRun.ts"
import { byteLengthOf, isSpeech, type SpeechModel } from "./Model.ts"
import { automatic, type Machine } from "./ModelChoice.ts"
import * as ModelFolder from "./ModelFolder.ts"
import * as ModelInstaller from "./ModelInstaller.ts"
import type { ModelSource } from "./ModelSource.ts"
import { type Concurrency, make, notInstalledMessage } from "./WhisperTranscriber.ts"

/** Options for the Whisper `layer`. */
export interface Options {
  /** The model directory. */
  readonly modelDirectory: string
  /** The name of the speech model, or `auto` for the best model for each recording. */
  readonly model: string
  /** The memory for each recording, and the cores for all. Default: those of this machine. */
  readonly machine?: Machine
  readonly modelSource: ModelSource
  readonly guard: Guard.GuardOptions
  /** Default: one recording at a time, in up to four pieces. */
  readonly concurrency?: Concurrency
  /** Whether a missing model is downloaded in the background. */
  readonly installs: boolean
  /**
   * Called with the progress of an installation. A failure appears in the transcriber's readiness.
   */
  readonly report: (line: string) => Effect.Effect<void>
}

/**
 * Measures this machine's cores, and the memory available to each of the given number of
 * recognisers.
 */
export const measureMachine = (recognisers = 1): Machine => ({
  memoryBytes: availableMemory() / recognisers,
  cores: availableParallelism()
})

const recognition = {
  name: "sherpa-onnx-node",
  purpose: "recognise speech on this machine"
}

const unloadable = (detail: string): string =>
  "sherpa-onnx-node, which recognises speech, does not work on this machine: it needs glibc 2.32 " +
  `or newer, macOS, or Windows. VERBATIM_TRANSCRIBER=pocketsphinx needs neither. (${detail})`

/** Downloads the speech model, and then the model that distinguishes voices. */
const fetchAll = Effect.fnUntraced(function* (
  model: SpeechModel,
  options: Options & { readonly catalogue: Catalogue.Catalogue }
) {
  const { catalogue, guard, modelDirectory, modelSource, report } = options
  yield* report(`Fetching the model ${model.name}: ${Math.ceil(byteLengthOf(model) / 1e6)} MB`)
  for (const name of [model.name, Catalogue.voiceModelName]) {
    const found = Catalogue.find(catalogue, name)
    if (Option.isNone(found)) continue
    const fetched = ModelInstaller.install(found.value, {
      folder: modelDirectory,
      source: modelSource,
      guard,
      onProgress: () => Effect.void
    })
    // If the voice model cannot be downloaded, the speech model is enough.
    yield* name === model.name ? fetched : Effect.catch(fetched, (error) => report(error.sentence))
  }
  yield* report(`The model ${model.name} is ready`)
})

/**
 * Finds the model to install, and a function that creates the model's transcriber. Returns none if
 * no model has that name.
 */
const findEngine = Effect.fnUntraced(function* (
  options: Options & { readonly catalogue: Catalogue.Catalogue; readonly folder: string }
) {
  const { catalogue, concurrency = { recordings: 1, pieces: 4 }, folder, model: name } = options
  const { machine = measureMachine(concurrency.recordings) } = options
  if (name === automatic) {
    const choice = { ...options, concurrency, machine }
    const { best, installed } = yield* AutomaticTranscriber.findModels(null, choice)
    return Option.map(Option.fromUndefinedOr(best), (model) => ({
      model,
      isThere: installed !== undefined,
      make: AutomaticTranscriber.make(choice)
    }))
  }
  const found = Option.filter(Catalogue.find(catalogue, name), isSpeech)
  if (Option.isNone(found)) return Option.none()
  const { value: model } = found
  const isThere = (yield* ModelFolder.presence(folder, model)) === "installed"
  return Option.some({ model, isThere, make: make({ ...options, concurrency, machine, model }) })
})

/** Creates the transcriber, or a placeholder until the model is installed. */
const makeTranscriber = Effect.fnUntraced(function* (options: Options) {
  const { modelDirectory: folder } = options
  const catalogue = yield* ModelFolder.catalogue(folder)
  const found = yield* findEngine({ ...options, catalogue, folder })
  if (Option.isNone(found)) {
    const names = catalogue.filter(isSpeech).map(({ name }) => name)
    return makeUnavailable(`There is no model ${options.model} for speech: ${names.join(", ")}.`)
  }
  if (!(yield* isInstalled(recognition))) return makeUnavailable(installSentence(recognition))
  const broken = yield* Effect.flip(ChildRun.probe).pipe(Effect.option)
  if (Option.isSome(broken)) return makeUnavailable(unloadable(broken.value.detail))

  const { value: engine } = found
  if (engine.isThere) return yield* engine.make
  if (!options.installs) return makeUnavailable(notInstalledMessage(engine.model))

  return yield* makeInstallingEngine({
    placeholder: makePreparing(`The model ${engine.model.name} is being fetched.`),
    failureSentence: notInstalledMessage(engine.model),
    install: fetchAll(engine.model, { ...options, catalogue }).pipe(
      Effect.andThen(engine.make),
      Effect.catchTag("ModelError", ({ sentence }) => Effect.succeed(makeUnavailable(sentence)))
    )
  })
})

/** Provides the Whisper transcriber. */
export const layer = (options: Options): Layer.Layer<Transcriber> =>
  Layer.effect(Transcriber, makeTranscriber(options)).pipe(Layer.provide(platform))
