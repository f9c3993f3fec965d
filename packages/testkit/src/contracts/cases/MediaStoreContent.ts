/** Test content of the `MediaStore` cases, and reads of the result. */
import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { MediaStore, type MediaStoreError } from "@verbatim/core/ports"
import { type MediaKey, makeMediaKey } from "@verbatim/core/transcription"
import { Data, type Duration, Effect, FileSystem, Stream } from "effect"
import { jobId } from "../../samples/index.ts"
import * as Expect from "../Expect.ts"

/** The store, and the file system for the files it opens. */
export type Ports = MediaStore | FileSystem.FileSystem

/** In bytes. */
export const megabyte = 1_000_000

/** Returns the media key of another job for each number. */
export const keyOf = (number: number, attempt = 0, extension = ".mp3") =>
  makeMediaKey({ jobId: jobId(number), attempt, extension })

/** Makes bytes that differ by position, so that a lost or duplicated piece shows. */
export const bytesOf = (length: number, seed = 1): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8) * 17 + seed) % 256)

/** Splits bytes into chunks of that length. */
export const toChunks = (bytes: Uint8Array, length: number): Stream.Stream<Uint8Array> =>
  Stream.range(0, Math.max(Math.ceil(bytes.byteLength / length) - 1, 0)).pipe(
    Stream.map((index) => bytes.slice(index * length, (index + 1) * length))
  )

/** Stores content. */
export const put = (key: MediaKey, content: Stream.Stream<Uint8Array>, byteMax = 100 * megabyte) =>
  Effect.flatMap(MediaStore, (store) => store.put({ key, content, byteMax }))

/** Reads the content of a key. */
export const read = (key: MediaKey) =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = yield* MediaStore
      const files = yield* FileSystem.FileSystem
      const media = yield* store.open(key)
      return { ...media, bytes: yield* files.readFile(media.path) }
    })
  )

/** Compares as a whole: a failure would otherwise show megabytes. */
const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.byteLength === other.byteLength && one.every((byte, index) => byte === other[index])

/** Fails unless a reader finds that content, complete. */
export const holds = Effect.fnUntraced(function* (key: MediaKey, bytes: Uint8Array) {
  const media = yield* read(key)
  yield* Expect.that("the returned and read lengths are those of the content", [
    media.byteLength,
    media.bytes.byteLength
  ]).is([bytes.byteLength, bytes.byteLength])
  yield* Expect.holds("the content is unchanged", isSame(media.bytes, bytes))
})

/** Fails unless a reader finds one of these contents, complete. */
export const holdsOneOf = Effect.fnUntraced(function* (
  key: MediaKey,
  contents: ReadonlyArray<Uint8Array>
) {
  const { bytes } = yield* read(key)
  const isWhole = contents.some((content) => isSame(bytes, content))
  yield* Expect.holds("it is one of the contents, complete", isWhole)
})

/** Fails unless a reader finds that content, complete, or nothing. */
export const holdsOrMisses = (key: MediaKey, bytes: Uint8Array) =>
  Effect.catchTag(holds(key, bytes), "MediaStoreError", () => isMissing(key))

/** Fails unless a reader finds nothing. */
export const isMissing = (key: MediaKey) => Expect.refuses(openMedia(key), "Missing")

const openMedia = (key: MediaKey): Effect.Effect<unknown, MediaStoreError, MediaStore> =>
  Effect.scoped(Effect.flatMap(MediaStore, (store) => store.open(key)))

/** Lists the keys of content older than that, in order. */
export const listKeys = (age: Duration.Duration) =>
  Effect.gen(function* () {
    const store = yield* MediaStore
    return (yield* Stream.runCollect(store.olderThan(age))).sort()
  })

/** The error of failing content. */
export class Cut extends Data.TaggedError("Cut") {}

/** Runs the event loop once. */
export const runEventLoopOnce = Effect.promise(
  () => new Promise<void>((resolve) => setImmediate(resolve))
)

/** Returns the bytes of objects and buffers, including unreachable ones. Cheap. */
export const usedBytes = (): number => {
  const { external_memory, used_heap_size } = getHeapStatistics()
  return external_memory + used_heap_size
}

/** Returns the bytes of reachable objects and buffers. Takes about 100 ms. */
export const heldBytes = (): number => {
  // Read when a context is created: no command line option is needed.
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  if (typeof collect === "function") collect()
  return usedBytes()
}
