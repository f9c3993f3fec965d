/**
 * Installs the recogniser if it is missing: downloads its packages and unpacks them into the cache
 * directory. The folder appears only when it is complete, even if installations run concurrently or
 * crash.
 */

import { join } from "node:path"
import { trace } from "@verbatim/core/ports"
import { Effect, FileSystem, Option, type PlatformError } from "effect"
import { printable } from "../processes/Command.ts"
import { download, InstallerError, type Report, unpack } from "./Apt.ts"
import { find, folderIn, inFolder } from "./Installation.ts"

/** Options for `install`. */
export interface InstallOptions {
  readonly cacheDirectory: string
  readonly report: Report
}

/** Returns the installed recogniser, or installs it now. */
export const install = trace("Pocketsphinx.install")(function* (options: InstallOptions) {
  const { report } = options
  const present = yield* find(options)
  if (Option.isSome(present)) {
    yield* report(`PocketSphinx is there: ${present.value.command}`)
    return present.value
  }
  const files = yield* download(report)
  const work = yield* orUnusable(workFolder(options.cacheDirectory))
  const tree = join(work, "tree")
  yield* Effect.forEach(files, (file) => unpack(file, tree), { discard: true })
  if (Option.isNone(yield* inFolder(tree))) {
    return yield* new InstallerError({ obstacle: "NotStarting", detail: "" })
  }
  const installation = yield* publish({ tree, folder: folderIn(options.cacheDirectory), work })
  yield* report(`PocketSphinx is ready: ${installation.command}`)
  return installation
}, Effect.scoped)

const workPrefix = ".pocketsphinx-"

/** Creates a private folder next to the final folder, so that a rename publishes the content. */
const workFolder = Effect.fnUntraced(function* (cacheDirectory: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.makeDirectory(cacheDirectory, { recursive: true })
  return yield* fs.makeTempDirectoryScoped({ directory: cacheDirectory, prefix: workPrefix })
})

/**
 * Renames the unpacked tree to its final name. If another process was faster, that process's
 * installation is kept. An existing folder without a working recogniser is replaced.
 */
const publish = Effect.fnUntraced(function* (names: {
  readonly tree: string
  readonly folder: string
  readonly work: string
}) {
  const { folder, tree, work } = names
  const fs = yield* FileSystem.FileSystem
  yield* Effect.ignore(fs.rename(tree, folder))
  const there = yield* inFolder(folder)
  if (Option.isSome(there)) return there.value
  yield* Effect.ignore(fs.rename(folder, join(work, "broken")))
  yield* Effect.ignore(fs.rename(tree, folder))
  const published = yield* inFolder(folder)
  if (Option.isSome(published)) return published.value
  return yield* new InstallerError({ obstacle: "FolderUnusable", detail: "it cannot be renamed" })
})

const orUnusable = <A, R>(effect: Effect.Effect<A, PlatformError.PlatformError, R>) =>
  Effect.mapError(
    effect,
    ({ message }) => new InstallerError({ obstacle: "FolderUnusable", detail: printable(message) })
  )
