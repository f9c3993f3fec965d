/**
 * The keys in the store's folder, one after the other: memory holds a few names at a time, however
 * many jobs there are.
 */
import type { Dir } from "node:fs"
import { opendir, rmdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { MediaStoreError } from "@verbatim/core/ports"
import { type MediaKey, parseMediaKey } from "@verbatim/core/transcription"
import { Option, Stream } from "effect"

/** A file that is removed during the listing is no longer there to be listed. */
const isGone = (cause: unknown): boolean => Object(cause).code === "ENOENT"

const unlessGone = <A>(step: Promise<A>): Promise<A | undefined> =>
  step.catch((cause: unknown) => (isGone(cause) ? undefined : Promise.reject(cause)))

async function* namesIn(folder: Dir | undefined): AsyncGenerator<string> {
  if (folder === undefined) return
  for await (const { name } of folder) yield name
}

/** A crash between the making of a folder and the renaming of its first file leaves it empty. */
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

/** Keys of the files whose time of modification is before an instant. */
export const keysStoredBefore = (
  directory: string,
  beforeMillis: number
): Stream.Stream<MediaKey, MediaStoreError> =>
  Stream.fromAsyncIterable(
    keysIn(directory, beforeMillis),
    (cause) =>
      new MediaStoreError({ operation: "olderThan", reason: { _tag: "Unavailable", cause } })
  )
