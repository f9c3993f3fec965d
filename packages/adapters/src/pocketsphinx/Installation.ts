/**
 * Where the recogniser is: on PATH, or unpacked in the cache directory. Only one that has been
 * started once is ever returned, so that an incomplete one is never used.
 */

import { dirname, join, resolve } from "node:path"
import { arch, env } from "node:process"
import { trace } from "@verbatim/core/ports"
import { Duration, Effect, FileSystem, Option } from "effect"
import { run } from "../processes/Command.ts"

/** A recogniser that starts. */
export interface Installation {
  /** A path, or a name that is on PATH. */
  readonly command: string
  /** `LD_LIBRARY_PATH`, where its libraries are not the system's. */
  readonly environment: Readonly<Record<string, string>>
  /** `-hmm`, `-lm` and `-dict`, where the model is not the system's. */
  readonly modelArguments: ReadonlyArray<string>
}

const program = "pocketsphinx_continuous"
const libraryPath = "LD_LIBRARY_PATH"

/** Where the Debian package pocketsphinx-en-us puts its model. */
const modelFolder = "usr/share/pocketsphinx/model/en-us"

/** The folder of an unpacked recogniser; its name changes with the processor and the layout. */
export const folderIn = (cacheDirectory: string): string =>
  resolve(cacheDirectory, `pocketsphinx-${arch}-1`)

/** The recogniser to use: the one on PATH, else the one in the cache directory, if it starts. */
export const find = trace("Pocketsphinx.find")(function* (options: {
  readonly cacheDirectory: string
}) {
  const system = yield* onPath
  return Option.isSome(system) ? system : yield* inFolder(folderIn(options.cacheDirectory))
})

/** The files of the model, in the folder of an unpacked recogniser. */
export const modelIn = (root: string) => ({
  acoustics: join(root, modelFolder, "en-us"),
  languageModel: join(root, modelFolder, "en-us.lm.bin"),
  dictionary: join(root, modelFolder, "cmudict-en-us.dict")
})

/** The system's own, if it starts. */
const onPath = Effect.suspend(() =>
  checkStarts({
    command: program,
    environment: searchEnvironment((env[libraryPath] ?? "").split(":")),
    modelArguments: []
  })
)

/** The one unpacked in a folder, if it starts. */
export const inFolder = Effect.fnUntraced(function* (root: string) {
  const fs = yield* FileSystem.FileSystem
  const files = yield* Effect.orElseSucceed(fs.readDirectory(root, { recursive: true }), () => [])
  const model = modelIn(root)
  return yield* checkStarts({
    command: join(root, "usr/bin", program),
    environment: searchEnvironment(libraryFolders(files, root)),
    modelArguments: [
      ...["-hmm", model.acoustics],
      ...["-lm", model.languageModel],
      ...["-dict", model.dictionary]
    ]
  })
})

/** The environment that makes libraries load from these folders, empty names left out. */
const searchEnvironment = (folders: ReadonlyArray<string>): Installation["environment"] => {
  const named = folders.filter((folder) => folder !== "")
  return named.length === 0 ? {} : { [libraryPath]: named.join(":") }
}

/**
 * Every folder with a shared library in it. Looked up, because the names differ with the processor
 * (`x86_64-linux-gnu`) and some libraries, such as blas, have folders of their own.
 */
const libraryFolders = (paths: ReadonlyArray<string>, root: string): ReadonlyArray<string> => {
  const libraries = paths.filter((path) => /\.so(\.[\d.]+)?$/.test(path))
  return [...new Set(libraries.map((path) => join(root, dirname(path))))]
}

/** Loading the model takes 0.3 s; a machine that needs a hundred times as long is useless. */
const startTimeout = Duration.seconds(30)

/** Without audio it has nothing to say. */
const startByteMax = 64 * 1024

/** The same installation, if it reads its model and ends well on audio without a sample. */
const checkStarts = Effect.fnUntraced(function* (installation: Installation) {
  const isStarted = yield* run({
    program: installation.command,
    arguments: [...installation.modelArguments, "-infile", "/dev/null"],
    environment: childEnvironment(installation),
    timeout: startTimeout,
    outputByteMax: startByteMax
  }).pipe(
    Effect.tap(({ complaint, exitCode }) =>
      exitCode === 0
        ? Effect.void
        : Effect.logDebug("PocketSphinx does not start", { exitCode, complaint })
    ),
    Effect.map(({ exitCode }) => exitCode === 0),
    Effect.orElseSucceed(() => false)
  )
  return isStarted ? Option.some(installation) : Option.none<Installation>()
})

/**
 * Huge pages for its 100 MB of models, where the kernel gives them on request: 1.61 s of a
 * processor for a clip of 5 s instead of 1.78. An older glibc than 2.35 ignores it.
 */
const allocation = { GLIBC_TUNABLES: "glibc.malloc.hugetlb=1" }

/** What the recogniser sees of this program's environment: no secrets. */
export const childEnvironment = (
  installation: Installation
): Readonly<Record<string, string | undefined>> => ({
  PATH: env.PATH,
  ...allocation,
  ...installation.environment
})
