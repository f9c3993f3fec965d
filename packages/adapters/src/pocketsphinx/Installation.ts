/**
 * Finds the recogniser on PATH, or unpacked in the cache directory. The recogniser is returned only
 * after a test start, so that an incomplete installation is never used.
 */

import { dirname, join, resolve } from "node:path"
import { arch, env } from "node:process"
import { trace } from "@verbatim/core/ports"
import { Duration, Effect, FileSystem, Option } from "effect"
import { run } from "../processes/Command.ts"

/** A recogniser that starts without errors. */
export interface Installation {
  /** A path, or a name on PATH. */
  readonly command: string
  /** Sets `LD_LIBRARY_PATH` if the recogniser's libraries are not the system's. */
  readonly environment: Readonly<Record<string, string>>
  /** Contains `-hmm`, `-lm` and `-dict` if the model is not the system's. */
  readonly modelArguments: ReadonlyArray<string>
}

const program = "pocketsphinx_continuous"
const libraryPath = "LD_LIBRARY_PATH"

/** The model's folder in the Debian package pocketsphinx-en-us. */
const modelFolder = "usr/share/pocketsphinx/model/en-us"

/**
 * Returns the folder of an unpacked recogniser, named after the processor and the layout version.
 */
export const folderIn = (cacheDirectory: string): string =>
  resolve(cacheDirectory, `pocketsphinx-${arch}-1`)

/** Looks for a recogniser that starts: on PATH first, then in the cache directory. */
export const find = trace("Pocketsphinx.find")(function* (options: {
  readonly cacheDirectory: string
}) {
  const system = yield* onPath
  return Option.isSome(system) ? system : yield* inFolder(folderIn(options.cacheDirectory))
})

/** Returns the system's own recogniser, if it starts. */
const onPath = Effect.suspend(() =>
  checkStarts({
    command: program,
    environment: searchEnvironment((env[libraryPath] ?? "").split(":")),
    modelArguments: []
  })
)

/** Returns the recogniser unpacked in a folder, if it starts. */
export const inFolder = Effect.fnUntraced(function* (root: string) {
  const fs = yield* FileSystem.FileSystem
  const files = yield* Effect.orElseSucceed(fs.readDirectory(root, { recursive: true }), () => [])
  const model = join(root, modelFolder)
  return yield* checkStarts({
    command: join(root, "usr/bin", program),
    environment: searchEnvironment(libraryFolders(files, root)),
    modelArguments: [
      ...["-hmm", join(model, "en-us")],
      ...["-lm", join(model, "en-us.lm.bin")],
      ...["-dict", join(model, "cmudict-en-us.dict")]
    ]
  })
})

/**
 * Returns the environment variable that loads libraries from these folders; empty names are
 * omitted.
 */
const searchEnvironment = (folders: ReadonlyArray<string>): Installation["environment"] => {
  const named = folders.filter((folder) => folder !== "")
  return named.length === 0 ? {} : { [libraryPath]: named.join(":") }
}

/**
 * Finds every folder with a shared library. The names depend on the processor (`x86_64-linux-gnu`),
 * and some libraries, such as blas, have their own folders.
 */
export const libraryFolders = (
  paths: ReadonlyArray<string>,
  root: string
): ReadonlyArray<string> => {
  const libraries = paths.filter((path) => /\.so(\.[\d.]+)?$/.test(path))
  return [...new Set(libraries.map((path) => join(root, dirname(path))))]
}

/**
 * Time limit for the test start. Loading the model takes 0.3 s; a machine a hundred times slower
 * would be useless.
 */
const startTimeout = Duration.seconds(30)

/** Maximum output of the test start in bytes; for empty audio, the recogniser writes nothing. */
const startByteMax = 64 * 1024

/** Returns the installation if the recogniser loads its model and accepts empty audio. */
const checkStarts = Effect.fnUntraced(function* (installation: Installation) {
  const isStarted = yield* run({
    program: installation.command,
    arguments: [...installation.modelArguments, "-infile", "/dev/null"],
    environment: childEnvironment(installation),
    timeout: startTimeout,
    outputByteMax: startByteMax
  }).pipe(
    Effect.tap(({ errorOutput: findError, exitCode }) =>
      exitCode === 0
        ? Effect.void
        : Effect.logDebug("PocketSphinx does not start", { exitCode, errorOutput: findError })
    ),
    Effect.map(({ exitCode }) => exitCode === 0),
    Effect.orElseSucceed(() => false)
  )
  return isStarted ? Option.some(installation) : Option.none<Installation>()
})

/**
 * Requests huge pages for the 100 MB of models, if the kernel offers them: a 5 s clip then takes
 * 1.61 s of CPU time instead of 1.78. glibc before 2.35 ignores the setting.
 */
const allocation = { GLIBC_TUNABLES: "glibc.malloc.hugetlb=1" }

/** Returns the recogniser's environment, which contains no secrets. */
export const childEnvironment = (
  installation: Installation
): Readonly<Record<string, string | undefined>> => ({
  PATH: env.PATH,
  ...allocation,
  ...installation.environment
})
