/** Copies media into another media store. Nothing in the other store is replaced or removed. */
import { createReadStream } from "node:fs"
import { type MediaStore, MediaStoreError } from "@verbatim/core/ports"
import type { MediaKey } from "@verbatim/core/transcription"
import { Duration, Effect, Stream } from "effect"

type Store = MediaStore["Service"]

/** The stores, and what to do after copying each file. */
export interface MediaCopyOptions {
  readonly from: Store
  readonly to: Store
  readonly onFile: (byteLength: number) => void
}

const isMissing = ({ reason }: MediaStoreError): boolean => reason._tag === "Missing"

const hasMedia = (store: Store, key: MediaKey) =>
  Effect.scoped(Effect.as(store.read({ key, from: 0, to: 0 }), true)).pipe(
    Effect.catchIf(isMissing, () => Effect.succeed(false))
  )

const read = (path: string) =>
  Stream.fromAsyncIterable<Uint8Array, MediaStoreError>(
    createReadStream(path),
    (cause) => new MediaStoreError({ operation: "read", reason: { _tag: "Unavailable", cause } })
  )

/**
 * Number of files to copy concurrently: enough to keep a disk busy; a bucket handles them in
 * parallel.
 */
const concurrency = 4

/** Copies all media that the other store lacks, except media that is being removed. */
export const copyMedia = ({ from, onFile, to }: MediaCopyOptions) => {
  const copyFile = Effect.fnUntraced(function* (key: MediaKey) {
    if (yield* hasMedia(to, key)) return
    const { byteLength, path } = yield* from.open(key)
    yield* to.put({ key, content: read(path), byteMax: Number.POSITIVE_INFINITY })
    onFile(byteLength)
  }, Effect.scoped)
  return from.olderThan(Duration.zero).pipe(
    Stream.mapEffect((key) => Effect.catchIf(copyFile(key), isMissing, () => Effect.void), {
      concurrency,
      unordered: true
    }),
    Stream.runDrain
  )
}
