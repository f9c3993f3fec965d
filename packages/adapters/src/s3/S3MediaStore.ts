/**
 * `MediaStore` in a bucket, so that processes on many machines share media. A process that reads
 * content gets it as a private file on its own machine, for as long as needed.
 */

import { createWriteStream } from "node:fs"
import { extname, join, resolve } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { DeleteObjectCommand, GetObjectCommand } from "@aws-sdk/client-s3"
import {
  type MarkOptions,
  MediaStore,
  MediaStoreError,
  type MediaStretch,
  trace
} from "@verbatim/core/ports"
import { type LocalMedia, type MediaKey, parseMediaKey } from "@verbatim/core/transcription"
import { Clock, Duration, Effect, Layer, Option, type Scope, Stream } from "effect"
import * as Staging from "../filesystem/Staging.ts"
import { ask, type Bucket, isAbsent, make as makeBucket, within } from "./Bucket.ts"
import { giveUpUploads, keysStoredBefore } from "./Listing.ts"
import * as Marker from "./Marker.ts"
import type { S3MediaStoreOptions } from "./Options.ts"
import { read } from "./Stretch.ts"
import { put } from "./Upload.ts"

/** An upload takes minutes; anything older was left by a crash. */
const abandonedAfter = Duration.hours(24)

/** The name of a key. Anything but a key has none, so nothing outside the prefix is ever named. */
const nameOf = Effect.fnUntraced(function* (
  { prefix }: Bucket,
  { key, operation }: { readonly key: MediaKey; readonly operation: string }
) {
  const valid = parseMediaKey(key)
  if (Option.isSome(valid)) return `${prefix}${valid.value}`
  const cause = new TypeError("not a media key")
  return yield* new MediaStoreError({ operation, reason: { _tag: "Unavailable", cause } })
})

const missingError = new MediaStoreError({ operation: "open", reason: { _tag: "Missing" } })

/** The largest file at 250 kB/s. A bucket that sends nothing for 30 s is given up sooner. */
const downloadTimeout = Duration.minutes(15)

/** Downloads content to a file. */
const download = (
  { client, name }: Bucket,
  { Key, path }: { readonly Key: string; readonly path: string }
) =>
  within(downloadTimeout)("open", async (signal) => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key }), {
      abortSignal: signal
    })
    if (!(Body instanceof Readable)) throw new TypeError("an object without a body")
    const file = createWriteStream(path, { flags: "wx", mode: 0o600 })
    await pipeline(Body, file, { signal })
    return file.bytesWritten
  }).pipe(Effect.catchIf(isAbsent, () => missingError))

const open = Effect.fnUntraced(function* (
  bucket: Bucket,
  { directory, key }: { readonly directory: string; readonly key: MediaKey }
): Effect.fn.Return<LocalMedia, MediaStoreError, Scope.Scope> {
  const Key = yield* nameOf(bucket, { key, operation: "open" })
  const folder = yield* Staging.folder(directory)
  const extension = extname(key)
  const path = join(folder, `media${extension}`)
  return { path, extension, byteLength: yield* download(bucket, { Key, path }) }
})

const make = (bucket: Bucket, directory: string): MediaStore["Service"] => ({
  put: trace("MediaStore.put")(function* <E, R>(request: {
    readonly key: MediaKey
    readonly content: Stream.Stream<Uint8Array, E, R>
    readonly byteMax: number
  }): Effect.fn.Return<number, MediaStoreError | E, R> {
    const name = yield* nameOf(bucket, { key: request.key, operation: "put" })
    return yield* put(bucket, { ...request, name })
  }),
  open: trace("MediaStore.open")((key: MediaKey) => open(bucket, { directory, key })),
  read: trace("MediaStore.read")(function* ({ key, ...stretch }: MediaStretch) {
    const Key = yield* nameOf(bucket, { key, operation: "read" })
    return yield* read(bucket, { ...stretch, Key })
  }),
  remove: trace("MediaStore.remove")(function* (key: MediaKey) {
    const Key = yield* nameOf(bucket, { key, operation: "remove" })
    yield* ask("remove", (abortSignal) =>
      bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key }), { abortSignal })
    ).pipe(Effect.catchIf(isAbsent, () => Effect.void))
  }),
  olderThan: (age) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        yield* Staging.sweep(directory)
        yield* giveUpUploads(bucket, now - Duration.toMillis(abandonedAfter)).pipe(
          // Not every server that speaks S3 lists them; the others discard them by themselves.
          Effect.catch((error) => Effect.logDebug("Unfinished uploads could not be listed", error))
        )
        return keysStoredBefore(bucket, now - Duration.toMillis(age))
      })
    ),
  marker: Marker.read(bucket),
  mark: trace("MediaStore.mark")((text: string, options?: MarkOptions) =>
    Marker.write(bucket, text, options)
  )
})

/** Media in a bucket, which must exist. Nothing is asked of it before it is needed. */
export const layer = (options: S3MediaStoreOptions): Layer.Layer<MediaStore, MediaStoreError> =>
  Layer.effect(
    MediaStore,
    Effect.gen(function* () {
      const directory = resolve(options.directory)
      yield* Staging.start(directory)
      return make(yield* makeBucket(options), directory)
    })
  )
