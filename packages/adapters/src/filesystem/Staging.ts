/**
 * Manages the store's staging folder, which contains files being written, and second names of files
 * being read. Files left in the folder by a crash are removed later.
 */
import { randomUUID } from "node:crypto"
import { type FileHandle, lstat, mkdir, open, opendir, rm } from "node:fs/promises"
import { join } from "node:path"
import { MediaStoreError } from "@verbatim/core/ports"
import { Clock, Effect, type Scope, Stream } from "effect"
import { makeFolders } from "./makeFolders.ts"

// Wraps file system operations: an exception becomes a `MediaStoreError` with its cause.

const unavailable = (operation: string, cause: unknown) =>
  new MediaStoreError({ operation, reason: { _tag: "Unavailable", cause } })

/** Runs a file system operation. An error names the operation. */
export const attempt = <A>(
  operation: string,
  step: () => Promise<A>
): Effect.Effect<A, MediaStoreError> =>
  Effect.tryPromise({ try: step, catch: (cause) => unavailable(operation, cause) })

/** Whether an operation failed with one of these system error codes. */
export const hasCode =
  (...codes: ReadonlyArray<string>) =>
  ({ reason }: MediaStoreError): boolean =>
    reason._tag === "Unavailable" &&
    reason.cause instanceof Error &&
    "code" in reason.cause &&
    codes.some((code) => code === Object(reason.cause).code)

/** Whether an error means that the file system has no hard links. */
export const lacksHardLinks = hasCode("EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK")

/** Makes the names in a folder durable. Windows has no call for this, and needs none. */
export const syncFolder = async (path: string): Promise<void> => {
  if (process.platform === "win32") return
  const folder = await open(path, "r")
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** No key begins with a dot, so no job's folder can have this name. */
const name = ".staging"

/**
 * A staged file of this age is considered abandoned: uploads must end within minutes, and decoding
 * within an hour.
 */
const staleMillis = 24 * 60 * 60 * 1_000

/** A new private file, with its handle. */
export interface StagedFile {
  readonly path: string
  readonly handle: FileHandle
}

const freshPath = (directory: string): string => join(directory, name, randomUUID())

const discard = (path: string) =>
  // A staged file that cannot be removed now is removed later.
  Effect.ignore(attempt("discard", () => rm(path, { recursive: true, force: true })))

/** Creates the store's folder and its staging folder. */
const prepare = (directory: string): Effect.Effect<void, MediaStoreError> =>
  attempt("prepare", async () => makeFolders(join(directory, name), 0o700))

/** Creates an empty file that is removed when the scope closes unless it has been renamed. */
export const file = (
  directory: string
): Effect.Effect<StagedFile, MediaStoreError, Scope.Scope> => {
  const path = freshPath(directory)
  return Effect.acquireRelease(
    Effect.map(
      attempt("put", () => open(path, "wx", 0o600)),
      (handle) => ({ path, handle })
    ),
    // `close` waits for a write that an interruption left unfinished.
    ({ handle }) =>
      Effect.andThen(Effect.ignore(attempt("put", () => handle.close())), discard(path))
  )
}

/** Creates a private folder that is removed when the scope closes. */
export const folder = (directory: string): Effect.Effect<string, MediaStoreError, Scope.Scope> => {
  const path = freshPath(directory)
  return Effect.acquireRelease(
    Effect.as(
      attempt("open", () => mkdir(path, { mode: 0o700 })),
      path
    ),
    discard
  )
}

const append = async (handle: FileHandle, chunks: ReadonlyArray<Uint8Array>): Promise<void> => {
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; ) {
      at += (await handle.write(chunk, at)).bytesWritten
    }
  }
}

/** Writes content durably, chunk by chunk, and returns the content's length. */
export const write = Effect.fnUntraced(function* <E, R>(
  { handle }: StagedFile,
  request: { readonly content: Stream.Stream<Uint8Array, E, R>; readonly byteMax: number }
): Effect.fn.Return<number, MediaStoreError | E, R> {
  let byteLength = 0
  yield* Stream.runForEachArray(request.content, (chunks) => {
    for (const chunk of chunks) byteLength += chunk.byteLength
    if (byteLength > request.byteMax) {
      return new MediaStoreError({ operation: "put", reason: { _tag: "TooLarge" } })
    }
    return attempt("put", () => append(handle, chunks))
  })
  const now = yield* Clock.currentTimeMillis
  yield* attempt("put", async () => {
    await handle.utimes(now / 1_000, now / 1_000)
    await handle.sync()
  })
  return byteLength
})

/** Creates the store's folders at startup, and removes files that a crash left in them. */
export const start = (directory: string): Effect.Effect<void, MediaStoreError> =>
  Effect.andThen(prepare(directory), sweep(directory))

/**
 * Removes files left by a crash. The system sets the timestamps of these files, so the system's
 * clock is used.
 */
export const sweep = (directory: string): Effect.Effect<void, MediaStoreError> =>
  attempt("sweep", async () => {
    const staleBefore = Date.now() - staleMillis
    for await (const entry of await opendir(join(directory, name))) {
      const path = join(directory, name, entry.name)
      // Another server that shares the folder may remove its own file in the meantime.
      const mtimeMs = (await lstat(path).catch(() => undefined))?.mtimeMs ?? staleBefore
      if (mtimeMs < staleBefore) await rm(path, { recursive: true, force: true })
    }
  }).pipe(Effect.catchIf(hasCode("ENOENT"), () => prepare(directory)))

/** One disk block, the minimum size of a file on disk. */
const sample = new Uint8Array(4_096)

/**
 * Tests that content can be written: writes and removes a small file, but does not wait for the
 * disk.
 */
export const checkWritable = (directory: string): Effect.Effect<void, MediaStoreError> =>
  Effect.flatMap(file(directory), ({ handle }) =>
    attempt("put", () => handle.writeFile(sample))
  ).pipe(Effect.scoped)
