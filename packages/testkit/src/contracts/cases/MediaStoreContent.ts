/** What the cases of a `MediaStore` put in, and how they look at the result. */
import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { MediaStore, type MediaStoreError } from "@verbatim/core/ports"
import { type MediaKey, makeMediaKey } from "@verbatim/core/transcription"
import { Data, type Duration, Effect, FileSystem, Stream } from "effect"
import { jobId } from "../../samples/index.ts"
import * as Expect from "../Expect.ts"

/** The store, and the file system that reads the files it opens. */
export type Ports = MediaStore | FileSystem.FileSystem

/** In bytes. */
export const megabyte = 1_000_000

/** A key of a job of its own. */
export const keyOf = (number: number, attempt = 0, extension = ".mp3") =>
  makeMediaKey({ jobId: jobId(number), attempt, extension })

/** Bytes that differ from place to place, so that a lost or doubled piece shows. */
export const bytesOf = (length: number, seed = 1): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8) * 17 + seed) % 256)

/** The same bytes in chunks of that length. */
export const toChunks = (bytes: Uint8Array, length: number): Stream.Stream<Uint8Array> =>
  Stream.range(0, Math.max(Math.ceil(bytes.byteLength / length) - 1, 0)).pipe(
    Stream.map((index) => bytes.slice(index * length, (index + 1) * length))
  )

/** Stores content. */
export const put = (key: MediaKey, content: Stream.Stream<Uint8Array>, byteMax = 100 * megabyte) =>
  Effect.flatMap(MediaStore, (store) => store.put({ key, content, byteMax }))

/** What a reader sees of a key. */
export const read = (key: MediaKey) =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = yield* MediaStore
      const files = yield* FileSystem.FileSystem
      const media = yield* store.open(key)
      return { ...media, bytes: yield* files.readFile(media.path) }
    })
  )

/** Compared as a whole: a failure would otherwise show megabytes. */
const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.byteLength === other.byteLength && one.every((byte, index) => byte === other[index])

/** A reader finds that content, whole. */
export const holds = Effect.fnUntraced(function* (key: MediaKey, bytes: Uint8Array) {
  const media = yield* read(key)
  yield* Expect.that("the lengths that are told and read are those of the content", [
    media.byteLength,
    media.bytes.byteLength
  ]).is([bytes.byteLength, bytes.byteLength])
  yield* Expect.holds("the content is the one given", isSame(media.bytes, bytes))
})

/** A reader finds one of these contents, whole. */
export const holdsOneOf = Effect.fnUntraced(function* (
  key: MediaKey,
  contents: ReadonlyArray<Uint8Array>
) {
  const { bytes } = yield* read(key)
  const isWhole = contents.some((content) => isSame(bytes, content))
  yield* Expect.holds("it is one of the contents, whole", isWhole)
})

/** A reader finds that content, whole, or nothing. */
export const holdsOrMisses = (key: MediaKey, bytes: Uint8Array) =>
  Effect.catchTag(holds(key, bytes), "MediaStoreError", () => isMissing(key))

/** A reader finds nothing. */
export const isMissing = (key: MediaKey) => Expect.refuses(openMedia(key), "Missing")

const openMedia = (key: MediaKey): Effect.Effect<unknown, MediaStoreError, MediaStore> =>
  Effect.scoped(Effect.flatMap(MediaStore, (store) => store.open(key)))

/** The keys of content that is older than that, in order. */
export const listKeys = (age: Duration.Duration) =>
  Effect.gen(function* () {
    const store = yield* MediaStore
    return (yield* Stream.runCollect(store.olderThan(age))).sort()
  })

/** What content fails with. */
export class Cut extends Data.TaggedError("Cut") {}

/** Lets the event loop turn once. */
export const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Bytes of objects and of buffers, with those that nobody can reach any more. Costs little. */
export const usedBytes = (): number => {
  const { external_memory, used_heap_size } = getHeapStatistics()
  return external_memory + used_heap_size
}

/** Bytes of objects and of buffers that somebody can reach. Takes some 100 ms. */
export const heldBytes = (): number => {
  // Read when a context is made: no option of the command line is needed.
  setFlagsFromString("--expose-gc")
  const collect: unknown = runInNewContext("gc")
  if (typeof collect === "function") collect()
  return usedBytes()
}
