/** Test content for the `MediaStore` cases, and ways to read the results. */
import { getHeapStatistics } from "node:v8"
import { MediaStore, type MediaStoreError } from "@verbatim/core/ports"
import { type MediaKey, makeMediaKey } from "@verbatim/core/transcription"
import { Data, type Duration, Effect, FileSystem, Stream } from "effect"
import { jobId } from "../../samples/index.ts"
import * as Expect from "../Expect.ts"

/** The store, and the file system with the files that it opens. */
export type Ports = MediaStore | FileSystem.FileSystem

export const megabyte = 1_000_000

/** Returns the media key for the job with this number. */
export const keyOf = (number: number, attempt = 0, extension = ".mp3") =>
  makeMediaKey({ jobId: jobId(number), attempt, extension })

/** Creates bytes that vary by position, which reveals a lost or duplicated piece. */
export const bytesOf = (length: number, seed = 1): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8) * 17 + seed) % 256)

/** Splits bytes into chunks of the given length. */
export const toChunks = (bytes: Uint8Array, length: number): Stream.Stream<Uint8Array> =>
  Stream.range(0, Math.max(Math.ceil(bytes.byteLength / length) - 1, 0)).pipe(
    Stream.map((index) => bytes.slice(index * length, (index + 1) * length))
  )

export const put = (key: MediaKey, content: Stream.Stream<Uint8Array>, byteMax = 100 * megabyte) =>
  MediaStore.use((store) => store.put({ key, content, byteMax }))

/** Reads the content stored under a key. */
export const read = (key: MediaKey) =>
  Effect.scoped(
    Effect.gen(function* () {
      const store = yield* MediaStore
      const files = yield* FileSystem.FileSystem
      const media = yield* store.open(key)
      return { ...media, bytes: yield* files.readFile(media.path) }
    })
  )

/** Compares content as a whole, because a failed byte-by-byte comparison would print megabytes. */
export const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.byteLength === other.byteLength && one.every((byte, index) => byte === other[index])

/** Fails unless a reader finds exactly this content. */
export const holds = Effect.fnUntraced(function* (key: MediaKey, bytes: Uint8Array) {
  const media = yield* read(key)
  yield* Expect.that("the returned and read lengths are those of the content", [
    media.byteLength,
    media.bytes.byteLength
  ]).is([bytes.byteLength, bytes.byteLength])
  yield* Expect.holds("the content is unchanged", isSame(media.bytes, bytes))
})

/** Fails unless a reader finds exactly one of the given contents. */
export const holdsOneOf = Effect.fnUntraced(function* (
  key: MediaKey,
  contents: ReadonlyArray<Uint8Array>
) {
  const { bytes } = yield* read(key)
  const isWhole = contents.some((content) => isSame(bytes, content))
  yield* Expect.holds("the content is one writer's, complete", isWhole)
})

/** Fails unless a reader finds exactly this content, or nothing. */
export const holdsOrMisses = (key: MediaKey, bytes: Uint8Array) =>
  Effect.catchTag(holds(key, bytes), "MediaStoreError", () => isMissing(key))

export const isMissing = (key: MediaKey) => Expect.refuses(openMedia(key), "Missing")

const openMedia = (key: MediaKey): Effect.Effect<unknown, MediaStoreError, MediaStore> =>
  Effect.scoped(MediaStore.use((store) => store.open(key)))

/** Lists the keys of content older than the given age, in order. */
export const listKeys = (age: Duration.Duration) =>
  Effect.gen(function* () {
    const store = yield* MediaStore
    return (yield* Stream.runCollect(store.olderThan(age))).sort()
  })

/** The error with which a failing content stream ends. */
export class Cut extends Data.TaggedError("Cut") {}

export const runEventLoopOnce = Effect.promise(
  () => new Promise<void>((resolve) => setImmediate(resolve))
)

/** Estimates cheaply how many bytes objects and buffers use, even unreachable ones. */
export const usedBytes = (): number => {
  const { external_memory, used_heap_size } = getHeapStatistics()
  return external_memory + used_heap_size
}
