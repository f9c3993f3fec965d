/**
 * `MediaStore` in a folder: each job has a private folder, each content is one file in it. Content
 * is written elsewhere in the same file system and renamed when it is whole. The modification time
 * of a file is the instant at which it was stored, by Effect's clock.
 */

import { link, mkdir, open as openFile, rename, rm, rmdir, stat } from "node:fs/promises"
import { basename, dirname, extname, join, resolve } from "node:path"
import {
  type MarkOptions,
  MediaStore,
  MediaStoreError,
  type MediaStretch,
  trace
} from "@verbatim/core/ports"
import { type LocalMedia, type MediaKey, parseMediaKey } from "@verbatim/core/transcription"
import { Clock, Duration, Effect, Layer, Option, type Scope, Stream } from "effect"
import { attempt, hasCode, hasNoLinks, syncFolder } from "./FileAttempt.ts"
import { keysStoredBefore } from "./Listing.ts"
import * as Marker from "./Marker.ts"
import * as Staging from "./Staging.ts"

/** Where the files are kept. */
export interface FilesystemMediaStoreOptions {
  /** Created with mode 0700 when it is missing. Nothing else may be kept in it. */
  readonly directory: string
}

const missingError = (operation: string) =>
  new MediaStoreError({ operation, reason: { _tag: "Missing" } })

interface Content<E, R> {
  readonly content: Stream.Stream<Uint8Array, E, R>
  readonly byteMax: number
}

interface Storing<E, R> extends Content<E, R> {
  readonly path: string
}

/** How many removals of the job's last file one rename may run into; each is a rare race. */
const folderLossMax = 5

/** The path of a key. Anything but a key has none, so nothing outside the folder is ever named. */
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
    // Fails while the job has other files, and when the folder has never been.
    await rmdir(dirname(path)).catch(() => undefined)
  })

/** A file that cannot be removed now belongs to no job, and is collected later. */
const forget = (path: string) => Effect.ignore(remove(path))

/** Gives a whole file its name, durably. After a failure there is no file of that name. */
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
  const settle = attempt("put", async () => {
    await syncFolder(folder)
    // Even if the folder was there: whoever made it may have died before this line.
    await syncFolder(dirname(folder))
  })
  yield* Effect.onError(settle, () => forget(path))
})

/** Stores content. An interruption after the content has its name removes it again. */
const put = Effect.fnUntraced(function* <E, R>(
  directory: string,
  { path, ...request }: Storing<E, R>
): Effect.fn.Return<number, MediaStoreError | E, R> {
  let isPublished = false
  const storing = Effect.gen(function* () {
    const staged = yield* Staging.file(directory)
    const byteLength = yield* Staging.write(staged, request)
    // Stopped half way, there would be a name, but nobody would know whether it is durable.
    yield* Effect.uninterruptible(
      Effect.map(publish(staged.path, path), () => {
        isPublished = true
      })
    )
    return byteLength
  })
  return yield* Effect.onInterrupt(Effect.scoped(storing), () =>
    isPublished ? forget(path) : Effect.void
  )
})

/** A second name for the content, which a removal or a replacement of the first does not touch. */
const open = Effect.fnUntraced(function* (
  directory: string,
  path: string
): Effect.fn.Return<LocalMedia, MediaStoreError, Scope.Scope> {
  const folder = yield* Staging.folder(directory)
  const ownName = join(folder, basename(path))
  const opened = yield* attempt("open", () => link(path, ownName)).pipe(
    Effect.as(ownName),
    Effect.catchIf(hasCode("ENOENT"), () => missingError("open")),
    // A file system without hard links hands out the file itself: there a removal ends the reading.
    Effect.catchIf(hasNoLinks, () => Effect.succeed(path))
  )
  const { size } = yield* Effect.catchIf(
    attempt("open", () => stat(opened)),
    hasCode("ENOENT"),
    () => missingError("open")
  )
  return { path: opened, extension: extname(path), byteLength: size }
})

/** What was opened stays that content, although its name goes or is given to another. */
const read = Effect.fnUntraced(function* (
  path: string,
  { from, to }: Omit<MediaStretch, "key">
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
    read: trace("MediaStore.read")(function* ({ key, ...stretch }: MediaStretch) {
      return yield* read(yield* pathOf("read", key), stretch)
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
    marker: Marker.read(directory),
    mark: trace("MediaStore.mark")((text: string, options?: MarkOptions) =>
      Marker.write(directory, text, options)
    )
  }
}

/** Media files in a folder. What a crash leaves behind is swept at the start and by `olderThan`. */
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
