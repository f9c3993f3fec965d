/**
 * Implements `MediaStore` in a folder. Each job has a private folder with one file per recording.
 * Content is written elsewhere in the same file system and renamed when complete. The modification
 * time of a file is the time when it was stored, according to Effect's clock.
 */

import type { Dir } from "node:fs"
import {
  link,
  mkdir,
  opendir,
  open as openFile,
  readFile,
  rename,
  rm,
  rmdir,
  stat
} from "node:fs/promises"
import { basename, dirname, extname, join, resolve } from "node:path"
import {
  type MarkerOptions,
  type MediaRange,
  MediaStore,
  MediaStoreError,
  trace
} from "@verbatim/core/ports"
import { type LocalMedia, type MediaKey, parseMediaKey } from "@verbatim/core/transcription"
import { Clock, Duration, Effect, Layer, Option, type Scope, Stream } from "effect"
import * as Staging from "./Staging.ts"
import { attempt, hasCode, lacksHardLinks, syncFolder } from "./Staging.ts"

// Lists the keys in the store's folder as a stream: only a few names are in memory at a time,
// regardless of the number of jobs.

/** A file may be removed while the folder is being listed. */
const isGone = (cause: unknown): boolean => Object(cause).code === "ENOENT"

const unlessGone = <A>(step: Promise<A>): Promise<A | undefined> =>
  step.catch((cause: unknown) => (isGone(cause) ? undefined : Promise.reject(cause)))

async function* namesIn(folder: Dir | undefined): AsyncGenerator<string> {
  if (folder === undefined) return
  for await (const { name } of folder) yield name
}

/** A crash after creating a folder and before renaming its first file leaves an empty folder. */
const removeIfEmpty = async (path: string): Promise<void> => {
  await rmdir(path).catch(() => undefined)
}

async function* keysIn(directory: string, beforeMillis: number): AsyncGenerator<MediaKey> {
  for await (const job of await opendir(directory)) {
    if (!job.isDirectory() || job.name.startsWith(".")) continue
    const folder = join(directory, job.name)
    let fileCount = 0
    for await (const name of namesIn(await unlessGone(opendir(folder)))) {
      fileCount++
      const key = parseMediaKey(`${job.name}/${name}`)
      if (Option.isNone(key)) continue
      const found = await unlessGone(stat(join(folder, name)))
      if (found !== undefined && Math.round(found.mtimeMs) < beforeMillis) yield key.value
    }
    if (fileCount === 0) await removeIfEmpty(folder)
  }
}

/** Lists the keys of files that were modified before a given time. */
const keysStoredBefore = (
  directory: string,
  beforeMillis: number
): Stream.Stream<MediaKey, MediaStoreError> =>
  Stream.fromAsyncIterable(
    keysIn(directory, beforeMillis),
    (cause) =>
      new MediaStoreError({ operation: "olderThan", reason: { _tag: "Unavailable", cause } })
  )

// The marker file identifies the folder. If the folder is not mounted, the marker is missing.

/** No key begins with a dot. */
const name = ".verbatim-media"

/** Reads the text of the marker. An operator's editor may have added a line feed to it. */
export const readMarker = (
  directory: string
): Effect.Effect<Option.Option<string>, MediaStoreError> =>
  attempt("marker", () => readFile(join(directory, name), "utf8")).pipe(
    Effect.map((text) => Option.some(text.trim())),
    Effect.catchIf(hasCode("ENOENT"), () => Effect.succeedNone)
  )

/** Writes the marker unless one exists, and returns the current marker. */
const writeMarker = Effect.fnUntraced(function* (
  directory: string,
  text: string,
  { isReplacing }: MarkerOptions = { isReplacing: false }
): Effect.fn.Return<string, MediaStoreError, Scope.Scope> {
  const staged = yield* Staging.file(directory)
  yield* Staging.write(staged, { content: Stream.make(Buffer.from(text)), byteMax: Infinity })
  const path = join(directory, name)
  const replace = attempt("mark", () => rename(staged.path, path))
  const add = attempt("mark", () => link(staged.path, path)).pipe(
    // Without hard links, two processes that mark a new folder at the same time may each believe
    // that their own marker came first.
    Effect.catchIf(lacksHardLinks, () =>
      Effect.flatMap(readMarker(directory), (found) =>
        Option.isSome(found) ? Effect.void : replace
      )
    ),
    Effect.catchIf(hasCode("EEXIST"), () => Effect.void)
  )
  // Writing the marker cannot be interrupted, because a caller may remove the folder directly after
  // an interruption.
  yield* Effect.uninterruptible(isReplacing ? replace : add)
  // An existing marker is also synced, because its writer may have died before syncing.
  yield* attempt("mark", () => syncFolder(directory))
  return Option.getOrElse(yield* readMarker(directory), () => text)
}, Effect.scoped)

/** Options for the media store in a folder. */
export interface FilesystemMediaStoreOptions {
  /** The store's own folder, without other files. If missing, it is created with mode 0700. */
  readonly directory: string
}

const missingError = (operation: string) =>
  new MediaStoreError({ operation, reason: { _tag: "Missing" } })

interface Content<E, R> {
  readonly content: Stream.Stream<Uint8Array, E, R>
  readonly byteMax: number
}

interface StoreRequest<E, R> extends Content<E, R> {
  readonly path: string
}

/**
 * Maximum number of retries of a rename that fails because the job's last file was removed
 * concurrently, which is rare.
 */
const folderLossMax = 5

/**
 * Returns the path of a key. Strings that are not keys have no path, so nothing outside the folder
 * is accessible.
 */
const pathIn = (directory: string) => (operation: string, key: MediaKey) =>
  Option.match(parseMediaKey(key), {
    onNone: () =>
      Effect.fail(
        new MediaStoreError({
          operation,
          reason: { _tag: "Unavailable", cause: new TypeError("not a media key") }
        })
      ),
    onSome: (valid) => Effect.succeed(join(directory, valid))
  })

const remove = (path: string) =>
  attempt("remove", async () => {
    await rm(path, { force: true })
    // The removal fails while the job has other files, or if the folder does not exist.
    await rmdir(dirname(path)).catch(() => undefined)
  })

/** A file that cannot be removed now belongs to no job, and is collected later. */
const tryRemove = (path: string) => Effect.ignore(remove(path))

/** Gives a complete file its final name, durably. After a failure, no file has that name. */
const publish = Effect.fnUntraced(function* (
  from: string,
  path: string
): Effect.fn.Return<void, MediaStoreError> {
  const folder = dirname(path)
  const move = attempt("put", async () => {
    await mkdir(folder, { mode: 0o700, recursive: true })
    await rename(from, path)
  })
  yield* Effect.retry(move, { times: folderLossMax, while: hasCode("ENOENT") })
  const makeDurable = attempt("put", async () => {
    await syncFolder(folder)
    // The name of an existing folder is also synced, because the folder's creator may have died
    // before syncing.
    await syncFolder(dirname(folder))
  })
  yield* Effect.onError(makeDurable, () => tryRemove(path))
})

/**
 * Stores content in a file. If an interruption follows the final rename, the file is removed again.
 */
const put = Effect.fnUntraced(function* <E, R>(
  directory: string,
  { path, ...request }: StoreRequest<E, R>
): Effect.fn.Return<number, MediaStoreError | E, R> {
  let isPublished = false
  const storing = Effect.gen(function* () {
    const staged = yield* Staging.file(directory)
    const byteLength = yield* Staging.write(staged, request)
    // An interruption here could leave a file that has its final name but is not durable.
    yield* Effect.uninterruptible(
      Effect.map(publish(staged.path, path), () => {
        isPublished = true
      })
    )
    return byteLength
  })
  return yield* Effect.onInterrupt(Effect.scoped(storing), () =>
    isPublished ? tryRemove(path) : Effect.void
  )
})

/** Opens content under a second name, so that the first name can be removed or reused. */
const open = Effect.fnUntraced(function* (
  directory: string,
  path: string
): Effect.fn.Return<LocalMedia, MediaStoreError, Scope.Scope> {
  const folder = yield* Staging.folder(directory)
  const ownName = join(folder, basename(path))
  const opened = yield* attempt("open", () => link(path, ownName)).pipe(
    Effect.as(ownName),
    Effect.catchIf(hasCode("ENOENT"), () => missingError("open")),
    // Without hard links, the file itself is opened, so removing the file ends the read.
    Effect.catchIf(lacksHardLinks, () => Effect.succeed(path))
  )
  const { size } = yield* Effect.catchIf(
    attempt("open", () => stat(opened)),
    hasCode("ENOENT"),
    () => missingError("open")
  )
  return { path: opened, extension: extname(path), byteLength: size }
})

/**
 * Reads a range of a file. The open file keeps its content even if its name is removed or reused.
 */
const read = Effect.fnUntraced(function* (
  path: string,
  { from, to }: Omit<MediaRange, "key">
): Effect.fn.Return<Stream.Stream<Uint8Array, MediaStoreError>, MediaStoreError, Scope.Scope> {
  const file = yield* Effect.acquireRelease(
    attempt("read", () => openFile(path, "r")).pipe(
      Effect.catchIf(hasCode("ENOENT"), () => missingError("read"))
    ),
    (opened) => Effect.ignore(attempt("read", () => opened.close()))
  )
  if (from >= to) return Stream.empty
  const bytes = file.createReadStream({ start: from, end: to - 1, autoClose: false })
  return Stream.fromAsyncIterable<Uint8Array, MediaStoreError>(
    bytes,
    (cause) => new MediaStoreError({ operation: "read", reason: { _tag: "Unavailable", cause } })
  )
})

const make = (directory: string): MediaStore["Service"] => {
  const pathOf = pathIn(directory)
  return {
    put: trace("MediaStore.put")(function* <E, R>(
      request: Content<E, R> & { readonly key: MediaKey }
    ): Effect.fn.Return<number, MediaStoreError | E, R> {
      return yield* put(directory, { ...request, path: yield* pathOf("put", request.key) })
    }),
    open: trace("MediaStore.open")(function* (key: MediaKey) {
      return yield* open(directory, yield* pathOf("open", key))
    }),
    read: trace("MediaStore.read")(function* ({ key, ...range }: MediaRange) {
      return yield* read(yield* pathOf("read", key), range)
    }),
    remove: trace("MediaStore.remove")(function* (key: MediaKey) {
      yield* remove(yield* pathOf("remove", key))
    }),
    olderThan: (age) =>
      Stream.unwrap(
        Effect.gen(function* () {
          yield* Staging.sweep(directory)
          const now = yield* Clock.currentTimeMillis
          return keysStoredBefore(directory, now - Duration.toMillis(age))
        })
      ),
    marker: readMarker(directory),
    mark: trace("MediaStore.mark")((text: string, options?: MarkerOptions) =>
      writeMarker(directory, text, options)
    )
  }
}

/**
 * Stores media files in a folder. Files that a crash left behind are removed at startup and by
 * `olderThan`.
 */
export const layer = (
  options: FilesystemMediaStoreOptions
): Layer.Layer<MediaStore, MediaStoreError> =>
  Layer.effect(
    MediaStore,
    Effect.gen(function* () {
      const directory = resolve(options.directory)
      yield* Staging.start(directory)
      return make(directory)
    })
  )
