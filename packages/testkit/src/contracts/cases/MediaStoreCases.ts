/**
 * Contract cases for `MediaStore`: a reader of a file or of ranges finds either complete content or
 * none.
 */
import { MediaStore } from "@verbatim/core/ports"
import { Deferred, Duration, Effect, Fiber, FileSystem, Option, Stream } from "effect"
import { upTo } from "../../samples/index.ts"
import { bytesInUse } from "../../servers/ChildProgram.ts"
import { advance, atOnce, type Cases, type Contract, listCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"
import {
  bytesOf,
  Cut,
  holds,
  isMissing,
  isSame,
  keyOf,
  listKeys,
  megabyte,
  type Ports,
  put,
  read,
  runEventLoopOnce,
  toChunks,
  usedBytes
} from "./MediaStoreContent.ts"
import { interruption, replacements, writers } from "./MediaStoreWriters.ts"

const contents: Cases<Ports> = listCases(MediaStore, {
  *"stores content that arrives in chunks of any length, and opens the content as a file"() {
    const bytes = bytesOf(300_000)
    for (const [index, length] of [1_000_000, 65_536, 7_777].entries()) {
      const key = keyOf(index + 1)
      yield* Expect.that("the answer is the length", yield* put(key, toChunks(bytes, length))).is(
        bytes.byteLength
      )
      yield* holds(key, bytes)
    }
  },
  *"gives an opened file the extension of the content's key"() {
    const key = keyOf(1, 2, ".flac")
    yield* put(key, toChunks(bytesOf(10), 10))
    yield* Expect.that("the extension has its dot", (yield* read(key)).extension).is(".flac")
  },
  *"stores empty content, and content with empty chunks"() {
    yield* put(keyOf(1), Stream.empty)
    yield* holds(keyOf(1), new Uint8Array())
    const sparse = Stream.make(new Uint8Array(), bytesOf(3), new Uint8Array())
    yield* put(keyOf(2), sparse)
    yield* holds(keyOf(2), bytesOf(3))
  }
})

const refusals: Cases<Ports> = listCases(MediaStore, {
  *"accepts content up to the limit, and discards content that is one byte longer"() {
    yield* put(keyOf(1), toChunks(bytesOf(10_000), 999), 10_000)
    yield* holds(keyOf(1), bytesOf(10_000))
    yield* Expect.refuses(put(keyOf(2), toChunks(bytesOf(10_001), 999), 10_000), "TooLarge")
    yield* isMissing(keyOf(2))
  },
  *"stops reading when the limit is exceeded"() {
    const endless = Stream.forever(Stream.make(bytesOf(1_000)))
    yield* Expect.refuses(put(keyOf(1), endless, 1_000_000), "TooLarge")
    yield* isMissing(keyOf(1))
  },
  *"fails with the error of the content stream, and keeps no content"(store) {
    const content = Stream.concat(Stream.make(bytesOf(100_000)), Stream.fail(new Cut()))
    const outcome = yield* Effect.flip(store.put({ key: keyOf(1), content, byteMax: megabyte }))
    yield* Expect.that("the failure is the content's", outcome._tag).is("Cut")
    yield* isMissing(keyOf(1))
  },
  *"shows content only when it is complete, and discards content whose write is interrupted"() {
    const reached = yield* Deferred.make<void>()
    const pause = Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
    const content = Stream.concat(Stream.make(bytesOf(100_000)), Stream.fromEffect(pause))
    const writer = yield* Effect.forkChild(put(keyOf(1), content))
    yield* Deferred.await(reached)
    yield* isMissing(keyOf(1))
    yield* Fiber.interrupt(writer)
    yield* isMissing(keyOf(1))
    yield* advance(Duration.hours(1))
    yield* listKeys(Duration.minutes(1)).pipe(Expect.gives("nothing is listed", []))
  }
})

const removals: Cases<Ports> = listCases(MediaStore, {
  *"removes content, and succeeds even if there is no content to remove"(store) {
    yield* put(keyOf(1), toChunks(bytesOf(10), 10))
    yield* put(keyOf(1, 1), toChunks(bytesOf(20), 10))
    yield* isMissing(keyOf(2))
    yield* store.remove(keyOf(1))
    yield* store.remove(keyOf(1))
    yield* store.remove(keyOf(2))
    yield* isMissing(keyOf(1))
    yield* holds(keyOf(1, 1), bytesOf(20))
  },
  *"leaves an opened file unchanged when the stored content is replaced or removed"(store) {
    const files = yield* FileSystem.FileSystem
    yield* put(keyOf(1), toChunks(bytesOf(1_000, 1), 100))
    const { path } = yield* store.open(keyOf(1))
    yield* put(keyOf(1), toChunks(bytesOf(1_000, 2), 100))
    yield* store.remove(keyOf(1))
    const bytes = yield* files.readFile(path)
    yield* Expect.holds(
      "the key has the old content",
      bytes.byteLength === 1_000 && bytes[0] === bytesOf(1, 1)[0]
    )
  },
  *"lists content that is older than a given age"(store) {
    yield* listKeys(Duration.zero).pipe(Expect.gives("an empty store lists nothing", []))
    const old = [keyOf(1), keyOf(2, 3, ".webm")]
    yield* Effect.forEach([...old, keyOf(4)], (key) => put(key, toChunks(bytesOf(10), 10)))
    yield* advance(Duration.hours(2))
    yield* put(keyOf(3), toChunks(bytesOf(10), 10))
    yield* store.remove(keyOf(4))
    yield* advance(Duration.hours(1))
    yield* listKeys(Duration.hours(2)).pipe(
      Expect.gives("the old ones, without the removed ones", old)
    )
    yield* listKeys(Duration.hours(4)).pipe(Expect.gives("nothing is older than that", []))
    yield* listKeys(Duration.minutes(30)).pipe(
      Expect.gives("the recent one too", [...old, keyOf(3)])
    )
  },
  *"measures the age of content from its last write"() {
    yield* put(keyOf(1), toChunks(bytesOf(10), 10))
    yield* advance(Duration.hours(2))
    yield* put(keyOf(1), toChunks(bytesOf(20), 10))
    yield* advance(Duration.minutes(30))
    yield* listKeys(Duration.hours(1)).pipe(Expect.gives("no content is older than an hour", []))
  }
})

const collected = <E>(stream: Stream.Stream<Uint8Array, E>): Effect.Effect<Uint8Array, E> =>
  Effect.map(Stream.runCollect(stream), (chunks) => Buffer.concat(chunks))

const opened = (from: number, to: number) =>
  MediaStore.use((store) => store.read({ key: keyOf(1), from, to }))

const ranges: Cases<Ports> = listCases(MediaStore, {
  *"reads exactly the requested range of content"() {
    const bytes = bytesOf(200_000)
    yield* put(keyOf(1), toChunks(bytes, 65_536))
    for (const [from, to] of [
      [0, 200_000],
      [0, 1],
      [199_999, 200_000],
      [65_535, 131_073],
      [7, 7]
    ] as const) {
      const found = yield* Effect.scoped(Effect.flatMap(opened(from, to), collected))
      yield* Expect.holds(`the bytes from ${from} to ${to}`, isSame(found, bytes.slice(from, to)))
    }
  },
  *"reads opened content to the end, or fails if the key is removed or overwritten"(store) {
    const bytes = bytesOf(200_000)
    for (const change of [
      store.remove(keyOf(1)),
      put(keyOf(1), toChunks(bytesOf(200_000, 2), 65_536))
    ]) {
      yield* put(keyOf(1), toChunks(bytes, 65_536))
      const found = yield* Effect.scoped(
        Effect.gen(function* () {
          const stream = yield* opened(0, 200_000)
          yield* change
          return yield* Effect.orElseSucceed(collected(stream), () => bytes)
        })
      )
      yield* Expect.holds("never another content", isSame(found, bytes))
    }
  },
  "reports that content is missing when an unused key is opened": Expect.refuses(
    Effect.scoped(opened(0, 1)),
    "Missing"
  )
})

const isMarked = (text: string) =>
  MediaStore.use((store) =>
    Effect.flatMap(store.marker, (actual) =>
      Expect.that("the marker is unchanged", actual).is(Option.some(text))
    )
  )

const markers: Cases<Ports> = listCases(MediaStore, {
  *"keeps the first marker when other callers try to write another marker"(store) {
    yield* put(keyOf(1), Stream.make(bytesOf(10)))
    yield* store.marker.pipe(Expect.gives("content is not a marker", Option.none()))
    const names = upTo(8).map((number) => `marker ${number}`)
    const answers = new Set(yield* atOnce(names, (name) => store.mark(name)))
    yield* Expect.that("all callers get the same marker", answers.size).is(1)
    const [first = ""] = answers
    yield* isMarked(first)
    yield* store.mark("late").pipe(Expect.gives("a later call gets the same marker", first))
    yield* isMarked(first)
  },
  *"replaces the marker on request, and keeps the new marker"(store) {
    yield* store.mark("first", { isReplacing: true })
    yield* isMarked("first")
    const second = store.mark("second", { isReplacing: true })
    yield* second.pipe(Expect.gives("the answer is the new marker", "second"))
    yield* isMarked("second")
    yield* store.mark("late").pipe(Expect.gives("the new one stays", "second"))
  },
  *"does not list the marker as content"(store) {
    yield* store.mark("first")
    yield* put(keyOf(1), Stream.make(bytesOf(10)))
    yield* advance(Duration.hours(48))
    const keys = yield* listKeys(Duration.hours(24))
    yield* Expect.that("only the content is listed", keys).is([keyOf(1)])
    yield* Effect.forEach(keys, store.remove, { discard: true })
    yield* isMarked("first")
  }
})

const contentLength = 160 * megabyte

/**
 * Maximum growth of memory: unfinished parts of 8 MB each in a bucket store, and as much again for
 * a server in the same process.
 */
const heldMax = 100 * megabyte

/** Returns a function that measures memory, and one that checks how much it has grown. */
const watchMemory = () => {
  let first = bytesInUse()
  let isLow = true
  return {
    look: Effect.sync(() => {
      // Objects that are already unreachable at the first measurement may be collected after it.
      first = Math.min(first, usedBytes())
      // Counts the bytes exactly only if the estimate is too high.
      if (isLow && usedBytes() - first > heldMax) isLow = bytesInUse() - first <= heldMax
    }),
    isLow: Effect.suspend(() => Expect.holds(`holds no more than ${heldMax} bytes`, isLow))
  }
}

/** Each chunk has its own memory, so a store that keeps chunks uses the memory of all of them. */
const chunks = (look: Effect.Effect<void>): Stream.Stream<Uint8Array> =>
  Stream.range(1, contentLength / megabyte).pipe(
    Stream.rechunk(1),
    Stream.mapEffect((index) => Effect.as(look, new Uint8Array(megabyte).fill(index)))
  )

const memory: Cases<Ports> = listCases(MediaStore, {
  *"stores and opens 160 MB of content without holding all of it in memory"(store) {
    const { isLow, look } = watchMemory()
    const length = yield* put(keyOf(1), chunks(look), contentLength)
    yield* isLow
    const watcher = yield* Effect.forkChild(Effect.forever(Effect.andThen(runEventLoopOnce, look)))
    const { byteLength } = yield* Effect.scoped(store.open(keyOf(1)))
    yield* Fiber.interrupt(watcher)
    yield* isLow
    yield* Expect.that("both return the length", [length, byteLength]).is([
      contentLength,
      contentLength
    ])
  }
})

export const contract: Contract<Ports> = {
  port: "MediaStore",
  cases: [
    ...contents,
    ...memory,
    ...refusals,
    ...interruption,
    ...replacements,
    ...writers,
    ...removals,
    ...ranges,
    ...markers
  ]
}
