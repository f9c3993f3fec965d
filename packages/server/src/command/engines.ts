/** `verbatim engines`: lists, installs, verifies and removes speech recognition models. */
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import {
  byteLengthOf,
  Catalogue,
  isSpeech,
  type Model,
  ModelFolder,
  ModelInstaller
} from "@verbatim/adapters/whisper"
import { languages as accepted } from "@verbatim/core/transcription"
import { codeOf } from "@verbatim/embed/trouble"
import { ByteSize, Console, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import type { Configuration } from "../Configuration.ts"
import { makeLocalCommand } from "./ApiFlags.ts"
import { explainErrors } from "./explanation.ts"
import { textArgument } from "./flags.ts"
import { jsonFlag, print, printJson, readConfiguration } from "./operation.ts"
import { Refusal, refuse } from "./Refusal.ts"
import { formatTable } from "./terminal/helpLayout.ts"
import * as ProgressBar from "./terminal/ProgressBar.ts"

/** The only engine that consists of system packages instead of a model. */
const pocketsphinx = "pocketsphinx"

const refusalOf = ({ sentence }: { readonly sentence: string }) => new Refusal({ sentence })

const size = (bytes: number): string =>
  ByteSize.format(ByteSize.bytes(bytes), { system: "decimal" })

const modelArgument = textArgument("model", "Name from `verbatim engines list`")

const anyModelArgument = modelArgument.pipe(Argument.optional, Argument.map(Option.getOrUndefined))

/** Loads the engines only when they are used, so that other commands start earlier. */
const installPocketsphinx = Effect.fnUntraced(function* (
  { cacheDirectory }: Configuration,
  report: (line: string) => Effect.Effect<void>
) {
  const Engines = yield* Effect.promise(() => import("../Engines.ts"))
  yield* Engines.install({ cacheDirectory, report })
})

/** Downloads one model with a progress bar. */
const fetchModel = Effect.fnUntraced(function* (model: Model, settings: Configuration) {
  const total = byteLengthOf(model)
  let there = 0
  const bar = yield* ProgressBar.make(
    Effect.sync(() => ({
      fraction: there / total,
      label: `${model.name}: ${size(there)} of ${size(total)}`
    }))
  )
  yield* bar.say(`${model.name}: ${size(total)}, licence ${model.licence}`)
  yield* ModelInstaller.install(model, {
    folder: settings.modelDirectory,
    source: settings.modelSource,
    guard: { allowedNetworks: settings.allowedNetworks },
    onProgress: (_, byteLength) =>
      Effect.sync(() => {
        there = byteLength
      })
  })
  yield* bar.say(`${model.name}: installed`)
}, Effect.scoped)

/** Saves a catalogue next to the models, so that later commands can read it. */
const keepCatalogue = (offered: Catalogue.Catalogue, { modelDirectory }: Configuration) =>
  Effect.tryPromise({
    try: async () => {
      await mkdir(modelDirectory, { recursive: true })
      await writeFile(join(modelDirectory, Catalogue.fileName), JSON.stringify(offered, null, 2))
    },
    catch: (cause) => ModelFolder.folderError(modelDirectory, { name: Catalogue.fileName }, cause)
  })

/** Installs a model. With a speech model, also installs the one that tells speakers apart. */
const installModel = Effect.fnUntraced(function* (name: string, settings: Configuration) {
  const source = {
    source: settings.modelSource,
    guard: { allowedNetworks: settings.allowedNetworks }
  }
  const offered = yield* ModelInstaller.findOffered(name, source)
  if (Option.isSome(offered)) yield* keepCatalogue(offered.value, settings)
  const catalogue = yield* ModelFolder.catalogue(settings.modelDirectory)
  const model = yield* ModelInstaller.findModel(catalogue, name)
  for (const each of isSpeech(model) ? [name, Catalogue.voiceModelName] : [name]) {
    const found = Catalogue.find(catalogue, each)
    if (Option.isSome(found)) yield* fetchModel(found.value, settings)
  }
})

const install = Command.make(
  "install",
  { model: anyModelArgument, json: jsonFlag },
  Effect.fn(function* ({ json, model }) {
    const settings = yield* readConfiguration
    const name = model ?? pocketsphinx
    const isModel = name !== pocketsphinx
    const installing = isModel
      ? installModel(name, settings)
      : installPocketsphinx(settings, json ? Console.error : Console.log)
    yield* Effect.mapError(installing, refusalOf)
    const folder = isModel ? settings.modelDirectory : settings.cacheDirectory
    yield* print(json, { name, folder }, () => `${name} is ready in ${folder}`)
  }, explainErrors)
).pipe(
  Command.withDescription(
    "Install a model and the speaker model; without a name, PocketSphinx (English only)"
  )
)

const languagesOf = ({ kind, languages }: Model): string => {
  if (!isSpeech({ kind })) return "all languages"
  const count = languages?.length ?? accepted.length
  return count === 1 ? "1 language" : `${count} languages`
}

const toView = (model: Model, presence: string) => ({
  name: model.name,
  presence,
  bytes: byteLengthOf(model),
  licence: model.licence,
  languages: model.languages ?? null,
  description: model.description
})

type Listed = Readonly<{ model: Model; presence: string }>

const rowOf = ({ model, presence }: Listed) => ({
  name: model.name,
  state: presence,
  size: size(byteLengthOf(model)),
  licence: model.licence,
  languages: languagesOf(model),
  description: model.description
})

const list = Command.make(
  "list",
  { json: jsonFlag },
  Effect.fn(function* ({ json }) {
    const settings = yield* readConfiguration
    const { modelDirectory } = settings
    const models = yield* Effect.forEach(yield* ModelFolder.catalogue(modelDirectory), (model) =>
      Effect.map(ModelFolder.presence(modelDirectory, model), (presence) => ({ model, presence }))
    )
    if (json) {
      for (const { model, presence } of models) yield* printJson(toView(model, presence))
      return
    }
    for (const line of formatTable(models.map(rowOf))) yield* Console.log(line)
    yield* Console.log(`Models are in ${modelDirectory}.`)
    const { describeModels } = yield* Effect.promise(() => import("../Engines.ts"))
    for (const line of yield* describeModels(settings)) yield* Console.log(line)
  }, explainErrors)
).pipe(Command.withDescription("List models with their state, size, licence and languages"))

/** Returns the named model, or all installed models if no name is given. */
const chosen = Effect.fnUntraced(function* (name: string | undefined, folder: string) {
  const catalogue = yield* ModelFolder.catalogue(folder)
  if (name !== undefined) return [yield* ModelInstaller.findModel(catalogue, name)]
  return yield* Effect.filter(catalogue, (model) =>
    Effect.map(ModelFolder.presence(folder, model), (presence) => presence !== "absent")
  )
})

/** Reads all of a model's files, which can take seconds. */
const findDamaged = (folder: string, model: Model) =>
  ProgressBar.showWait(`verifying ${model.name}, ${size(byteLengthOf(model))}`)(
    ModelFolder.findDamaged(folder, model)
  )

const verify = Command.make(
  "verify",
  { model: anyModelArgument, json: jsonFlag },
  Effect.fn(function* ({ json, model }) {
    const { modelDirectory } = yield* readConfiguration
    const models = yield* Effect.mapError(chosen(model, modelDirectory), refusalOf)
    const broken: Array<string> = []
    for (const each of models) {
      const files = yield* findDamaged(modelDirectory, each)
      if (files.length > 0) broken.push(each.name)
      const verdict = files.length === 0 ? "intact" : `damaged or missing: ${files.join(", ")}`
      yield* print(json, { name: each.name, damaged: files }, ({ name }) => `${name}: ${verdict}`)
    }
    if (models.length === 0 && !json)
      yield* Console.log(`There are no models in ${modelDirectory}.`)
    const names = broken.map((name) => `verbatim engines install ${name}`)
    if (broken.length > 0) return yield* refuse(`Run ${names.join("; ")}.`)
  }, explainErrors)
).pipe(Command.withDescription("Verify the checksums of installed models"))

/** Whether any file of a model exists, even a partial one from an interrupted installation. */
const hasFiles = (folder: string, { name }: Model): Effect.Effect<boolean> =>
  Effect.promise(() =>
    readdir(join(folder, name)).then(
      (files) => files.length > 0,
      (error) => codeOf(error) !== "ENOENT"
    )
  )

const removeModel = Effect.fnUntraced(function* (name: string) {
  const { modelDirectory } = yield* readConfiguration
  const models = yield* Effect.mapError(chosen(name, modelDirectory), refusalOf)
  for (const each of models) {
    if (!(yield* hasFiles(modelDirectory, each))) {
      return yield* refuse(`${name} is not installed in ${modelDirectory}: nothing was removed.`)
    }
    yield* Effect.mapError(ModelFolder.remove(modelDirectory, each), refusalOf)
  }
  return { removed: name }
})

const remove = makeLocalCommand("remove", {
  description: "Remove a model from this machine",
  flags: { model: modelArgument },
  run: ({ model }) => removeModel(model),
  text: ({ removed }) => `Removed ${removed}.`
})

export const engines = Command.make("engines").pipe(
  Command.withDescription("Manage speech recognition models"),
  Command.withSubcommands([list, install, verify, remove])
)
