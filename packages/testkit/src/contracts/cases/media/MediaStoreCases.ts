/**
 * The promises of a `MediaStore`: the whole content or none.
 */
import { MediaStore } from "@verbatim/core/ports"
import { Deferred, Duration, Effect, Fiber, FileSystem, Stream } from "effect"
import { upTo } from "../../../samples/Ids.ts"
import { advance, atOnce, type Case, type Contract, listCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import {
  bytesOf,
  Cut,
  holds,
  isMissing,
  keyOf,
  listKeys,
  megabyte,
  type Ports,
  put,
  read,
  toChunks
} from "./MediaStoreContent.ts"
import { interruption } from "./MediaStoreInterruption.ts"
import { markers } from "./MediaStoreMarker.ts"
import { memory } from "./MediaStoreMemory.ts"
import { replacements } from "./MediaStoreReplacement.ts"
import { stretches } from "./MediaStoreStretches.ts"
import { writers } from "./MediaStoreWriters.ts"

const contents: ReadonlyArray<Case<Ports>> = listCases(MediaStore, {
  *"stores content in chunks of any length and opens it as a file"() {
    const bytes = bytesOf(300_000)
    for (const [index, length] of [1_000_000, 65_536, 7_777].entries()) {
      const key = keyOf(index + 1)
      yield* Expect.that("the answer is the length", yield* put(key, toChunks(bytes, length))).is(
        bytes.byteLength
      )
      yield* holds(key, bytes)
    }
  },
  *"tells the extension of the key"() {
    const key = keyOf(1, 2, ".flac")
    yield* put(key, toChunks(bytesOf(10), 10))
    yield* Expect.that("it has its dot", (yield* read(key)).extension).is(".flac")
  },
  *"stores content without a byte, and chunks without a byte"() {
    yield* put(keyOf(1), Stream.empty)
    yield* holds(keyOf(1), new Uint8Array())
    const sparse = Stream.make(new Uint8Array(), bytesOf(3), new Uint8Array())
    yield* put(keyOf(2), sparse)
    yield* holds(keyOf(2), bytesOf(3))
  },
  *"keeps the content of keys apart"() {
    const keys = [keyOf(1), keyOf(1, 1), keyOf(1, 10), keyOf(1, 0, ".mp4"), keyOf(2)]
    yield* atOnce(keys, (key) => put(key, toChunks(bytesOf(1_000, keys.indexOf(key)), 99)))
    for (const [index, key] of keys.entries()) yield* holds(key, bytesOf(1_000, index))
  },
  *"replaces the content of a key"() {
    yield* put(keyOf(1), toChunks(bytesOf(5_000, 1), 1_000))
    yield* put(keyOf(1), toChunks(bytesOf(200, 2), 1_000))
    yield* holds(keyOf(1), bytesOf(200, 2))
  },
  *"keeps one whole content of several that are stored at once"() {
    const lengths = upTo(8).map((number) => number * 10_000)
    yield* atOnce(lengths, (length) => put(keyOf(1), toChunks(bytesOf(length, length), 997)))
    const { byteLength } = yield* read(keyOf(1))
    yield* Expect.holds("it is one of them", lengths.includes(byteLength))
    yield* holds(keyOf(1), bytesOf(byteLength, byteLength))
  }
})

const refusals: ReadonlyArray<Case<Ports>> = [
  {
    title: "takes content up to the limit and refuses one byte more, keeping nothing",
    effect: Effect.gen(function* () {
      yield* put(keyOf(1), toChunks(bytesOf(10_000), 999), 10_000)
      yield* holds(keyOf(1), bytesOf(10_000))
      yield* Expect.refuses(put(keyOf(2), toChunks(bytesOf(10_001), 999), 10_000), "TooLarge")
      yield* isMissing(keyOf(2))
    })
  },
  {
    title: "reads no further once the limit is passed",
    effect: Effect.gen(function* () {
      const endless = Stream.forever(Stream.make(bytesOf(1_000)))
      yield* Expect.refuses(put(keyOf(1), endless, 1_000_000), "TooLarge")
      yield* isMissing(keyOf(1))
    })
  },
  {
    title: "fails as the content fails, and keeps nothing",
    effect: Effect.gen(function* () {
      const store = yield* MediaStore
      const content = Stream.concat(Stream.make(bytesOf(100_000)), Stream.fail(new Cut()))
      const outcome = yield* Effect.flip(store.put({ key: keyOf(1), content, byteMax: megabyte }))
      yield* Expect.that("the failure is that of the content", outcome._tag).is("Cut")
      yield* isMissing(keyOf(1))
    })
  },
  {
    title: "shows nothing before the last byte, and keeps nothing when it is interrupted",
    effect: Effect.gen(function* () {
      const reached = yield* Deferred.make<void>()
      const pause = Stream.fromEffect(
        Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
      )
      const content = Stream.concat(Stream.make(bytesOf(100_000)), pause)
      const writer = yield* Effect.forkChild(put(keyOf(1), content))
      yield* Deferred.await(reached)
      yield* isMissing(keyOf(1))
      yield* Fiber.interrupt(writer)
      yield* isMissing(keyOf(1))
      yield* advance(Duration.hours(1))
      yield* listKeys(Duration.minutes(1)).pipe(Expect.gives("nothing is listed", []))
    })
  },
  ...interruption,
  {
    title: "opens nothing under an unknown key",
    effect: isMissing(keyOf(1))
  }
]

const removals: ReadonlyArray<Case<Ports>> = listCases(MediaStore, {
  *"removes content, and is content when there is none"(store) {
    yield* put(keyOf(1), toChunks(bytesOf(10), 10))
    yield* put(keyOf(1, 1), toChunks(bytesOf(20), 10))
    yield* store.remove(keyOf(1))
    yield* store.remove(keyOf(1))
    yield* store.remove(keyOf(2))
    yield* isMissing(keyOf(1))
    yield* holds(keyOf(1, 1), bytesOf(20))
  },
  *"leaves an opened file as it is while its key is replaced and removed"(store) {
    const files = yield* FileSystem.FileSystem
    yield* put(keyOf(1), toChunks(bytesOf(1_000, 1), 100))
    const { path } = yield* store.open(keyOf(1))
    yield* put(keyOf(1), toChunks(bytesOf(1_000, 2), 100))
    yield* store.remove(keyOf(1))
    const bytes = yield* files.readFile(path)
    yield* Expect.holds(
      "it has the content of before",
      bytes.byteLength === 1_000 && bytes[0] === bytesOf(1, 1)[0]
    )
  },
  *"lists what was stored longer ago than an age"(store) {
    yield* listKeys(Duration.zero).pipe(Expect.gives("an empty store lists nothing", []))
    const old = [keyOf(1), keyOf(2, 3, ".webm")]
    yield* Effect.forEach([...old, keyOf(4)], (key) => put(key, toChunks(bytesOf(10), 10)))
    yield* advance(Duration.hours(2))
    yield* put(keyOf(3), toChunks(bytesOf(10), 10))
    yield* store.remove(keyOf(4))
    yield* advance(Duration.hours(1))
    yield* Expect.that(
      "the old ones, without what was removed",
      yield* listKeys(Duration.hours(2))
    ).is(old)
    yield* listKeys(Duration.hours(4)).pipe(Expect.gives("nothing is older than that", []))
    yield* Expect.that("the young one, too", yield* listKeys(Duration.minutes(30))).is([
      ...old,
      keyOf(3)
    ])
  },
  *"counts the age from the last time a key was stored"() {
    yield* put(keyOf(1), toChunks(bytesOf(10), 10))
    yield* advance(Duration.hours(2))
    yield* put(keyOf(1), toChunks(bytesOf(20), 10))
    yield* advance(Duration.minutes(30))
    yield* listKeys(Duration.hours(1)).pipe(Expect.gives("it is young", []))
  }
})

/** All of them. */
export const contract: Contract<Ports> = {
  port: "MediaStore",
  cases: [
    ...contents,
    ...memory,
    ...refusals,
    ...replacements,
    ...writers,
    ...removals,
    ...stretches,
    ...markers
  ]
}
