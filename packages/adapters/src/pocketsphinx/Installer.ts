/**
 * Provides the recogniser where it is missing: downloads its packages and unpacks them into the
 * cache directory. The folder appears whole or not at all, even when two do it at once or one dies.
 */

import { join } from "node:path"
import { trace } from "@verbatim/core/ports"
import { Clock, Duration, Effect, FileSystem, Option, type PlatformError } from "effect"
import { printable } from "../processes/Command.ts"
import { download, InstallerError, type Report, unpack } from "./Apt.ts"
import { find, folderIn, inFolder } from "./Installation.ts"
import { seal } from "./Tree.ts"

/** Where to install, and whom to tell about it. */
export interface InstallOptions {
  readonly cacheDirectory: string
  readonly report: Report
}

/** The installed recogniser, or else one that is fetched now. */
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
  yield* orUnusable(seal(tree))
  if (Option.isNone(yield* inFolder(tree))) {
    return yield* new InstallerError({ obstacle: "NotStarting", detail: "" })
  }
  const installation = yield* publish({ tree, folder: folderIn(options.cacheDirectory), work })
  yield* report(`PocketSphinx is ready: ${installation.command}`)
  return installation
}, Effect.scoped)

const workPrefix = ".pocketsphinx-"

/** An installation takes minutes at most: an older folder was left behind by one that died. */
const abandonedAfter = Duration.hours(6)

/** A private folder beside the final one, so that a rename is enough to publish. */
const workFolder = Effect.fnUntraced(function* (cacheDirectory: string) {
  const fs = yield* FileSystem.FileSystem
  yield* fs.makeDirectory(cacheDirectory, { recursive: true })
  yield* Effect.ignore(removeAbandoned(cacheDirectory))
  return yield* fs.makeTempDirectoryScoped({ directory: cacheDirectory, prefix: workPrefix })
})

const removeAbandoned = Effect.fnUntraced(function* (cacheDirectory: string) {
  const fs = yield* FileSystem.FileSystem
  const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(abandonedAfter)
  const names = yield* fs.readDirectory(cacheDirectory)
  for (const name of names.filter((each) => each.startsWith(workPrefix))) {
    const { mtime } = yield* fs.stat(join(cacheDirectory, name))
    if (Option.isSome(mtime) && mtime.value.getTime() < before) {
      yield* fs.remove(join(cacheDirectory, name), { recursive: true, force: true })
    }
  }
})

/** Two renames settle it; each further one needs another process that breaks the folder again. */
const publishMax = 5

/**
 * Gives the tree its final name. If there is one already that starts, it is kept: another process
 * was faster. One that does not start is moved out of the way.
 */
const publish = Effect.fnUntraced(function* (names: {
  readonly tree: string
  readonly folder: string
  readonly work: string
}) {
  const { folder, tree, work } = names
  const fs = yield* FileSystem.FileSystem
  for (let attempt = 1; attempt <= publishMax; attempt++) {
    const isRenamed = yield* Effect.isSuccess(fs.rename(tree, folder))
    const published = yield* inFolder(folder)
    if (Option.isSome(published)) return published.value
    // Fails when another process has moved it first, which is just as good.
    if (!isRenamed) yield* Effect.ignore(fs.rename(folder, join(work, `broken-${attempt}`)))
  }
  return yield* new InstallerError({ obstacle: "FolderUnusable", detail: "it cannot be renamed" })
})

const orUnusable = <A, R>(effect: Effect.Effect<A, PlatformError.PlatformError, R>) =>
  Effect.mapError(
    effect,
    ({ message }) => new InstallerError({ obstacle: "FolderUnusable", detail: printable(message) })
  )
