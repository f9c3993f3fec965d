/** Unpacks Debian packages in the cache folder, for tests and measurements. */
import { join } from "node:path"
import { arch } from "node:process"
import { layer as nodeServices } from "@effect/platform-node/NodeServices"
import type { Report } from "@verbatim/adapters/pocketsphinx"
import { Effect, FileSystem } from "effect"
import * as Apt from "#src/pocketsphinx/Apt"
import { libraryFolders } from "#src/pocketsphinx/Installation"

type Options = { readonly cacheDirectory: string; readonly report: Report }

/** Returns the folder of the packages, and downloads packages that are not in the cache. */
export const unpackPackages = Effect.fnUntraced(
  function* (
    name: string,
    options: Options & { readonly packages: ReturnType<typeof Apt.missingPackages> }
  ) {
    const fs = yield* FileSystem.FileSystem
    const folder = join(options.cacheDirectory, name)
    if (yield* fs.exists(folder)) return folder
    const files = yield* Apt.download(options.report, options.packages)
    yield* fs.makeDirectory(options.cacheDirectory, { recursive: true })
    const work = yield* fs.makeTempDirectoryScoped({ directory: options.cacheDirectory })
    const tree = join(work, "tree")
    yield* Effect.forEach(files, (file) => Apt.unpack(file, tree))
    // Another process may have unpacked the packages first.
    yield* Effect.ignore(fs.rename(tree, folder))
    return folder
  },
  Effect.scoped,
  Effect.provide(nodeServices)
)

/** The speech synthesizers, and a festival voice, an American man. */
export const synthesizerPackages = ["flite", "espeak-ng", "festival", "festvox-kdlpc16k"]

/** Returns the environment in which the synthesizers run. */
export const synthesizers = Effect.fnUntraced(function* (options: Options) {
  const folder = yield* unpackPackages(`synthesizers-${arch}-2`, {
    ...options,
    packages: Apt.missingPackages(synthesizerPackages)
  })
  const fs = yield* FileSystem.FileSystem
  const files = yield* fs.readDirectory(folder, { recursive: true })
  // Data is not in the folder if its package is installed: the programs then find it themselves.
  const phonemes = files.find((path) => path.endsWith("/espeak-ng-data/phontab"))
  const lexicons = files.find((path) => path.endsWith("/festival/init.scm"))
  return {
    PATH: join(folder, "usr/bin"),
    LD_LIBRARY_PATH: libraryFolders(files, folder).join(":"),
    ...(phonemes !== undefined && { ESPEAK_DATA_PATH: join(folder, phonemes, "../..") }),
    ...(lexicons !== undefined && { FESTDATADIR: join(folder, lexicons, "..") })
  }
}, Effect.provide(nodeServices))
