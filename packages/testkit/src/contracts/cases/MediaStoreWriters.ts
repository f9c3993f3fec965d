/**
 * Cases in which several writers store different content in a `MediaStore` at the same time. Each
 * key must end with the complete content of exactly one writer.
 */
import { MediaStore } from "@verbatim/core/ports"
import type { MediaKey } from "@verbatim/core/transcription"
import { Deferred, Effect, Exit, Fiber, Stream } from "effect"
import { upTo } from "../../samples/index.ts"
import { atOnce, type Cases, listCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"
import {
  bytesOf,
  Cut,
  holds,
  holdsOneOf,
  holdsOrMisses,
  isMissing,
  keyOf,
  megabyte,
  type Ports,
  put,
  runEventLoopOnce,
  toChunks
} from "./MediaStoreContent.ts"

const writerCount = 5

/**
 * Length of each writer's content. All are equally long, so that the length cannot reveal a
 * mixture.
 */
const contentLength = 120_000

const contents = upTo(writerCount).map((seed) => bytesOf(contentLength, seed))

/**
 * Maximum number of event loop runs to wait for other writers. A store may make writers to the same
 * key wait for each other.
 */
const turnMax = 20_000

/** Number of event loop runs in about a second. A writer needs far fewer unless it has to wait. */
const wholeTurnMax = 400_000

/** Runs the event loop until the condition is true, but at most this many times. */
const until = (isTrue: () => boolean, max = turnMax) =>
  Effect.gen(function* () {
    for (let turns = 0; !isTrue() && turns < max; turns += 1) yield* runEventLoopOnce
  })

/**
 * Stores each writer's content under its key. After every chunk, all writers wait for each other.
 */
const putInterleaved = Effect.fnUntraced(function* (keyFor: (writer: number) => MediaKey) {
  const written = contents.map(() => 0)
  yield* atOnce([...contents.entries()], ([writer, bytes]) => {
    const inTurn = Stream.tap(toChunks(bytes, 10_000), () => {
      const before = written[writer] ?? 0
      written[writer] = before + 1
      return until(() => written.every((count) => count > before))
    })
    return Effect.flatMap(put(keyFor(writer), inTurn), (length) =>
      Expect.that("the answer is the length", length).is(contentLength)
    )
  })
})

/** Checks the content under a key while another writer writes to the key. */
const overtakeWriter = Effect.fnUntraced(function* (ends: "fails" | "is interrupted") {
  const store = yield* MediaStore
  const begun = yield* Deferred.make<void>()
  const isCut = yield* Deferred.make<void>()
  const [first = new Uint8Array(), second = new Uint8Array()] = contents
  const pause = Stream.fromEffect(
    Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(isCut))
  )
  const content = toChunks(first, 10_000).pipe(
    Stream.concat(Stream.drain(pause)),
    Stream.concat(Stream.fail(new Cut()))
  )
  const loser = yield* Effect.forkChild(
    Effect.flip(store.put({ key: keyOf(1), content, byteMax: megabyte }))
  )
  yield* Deferred.await(begun)
  const winner = yield* Effect.forkChild(put(keyOf(1), toChunks(second, 10_000)))
  yield* until(() => winner.pollUnsafe() !== undefined, wholeTurnMax)
  if (ends === "fails") yield* Deferred.succeed(isCut, undefined)
  else yield* Fiber.interrupt(loser)
  yield* Fiber.await(loser)
  yield* Fiber.join(winner)
  yield* holds(keyOf(1), second)
})

export const writers: Cases<Ports> = listCases(MediaStore, {
  *"keeps chunks separate when writes to different keys interleave"() {
    // Keys that a store could easily confuse.
    const keys = [keyOf(1), keyOf(1, 1), keyOf(1, 10), keyOf(1, 0, ".mp4"), keyOf(2)] as const
    yield* putInterleaved((writer) => keys[writer] ?? keyOf(3))
    for (const [writer, bytes] of contents.entries()) yield* holds(keys[writer] ?? keyOf(3), bytes)
  },
  *"keeps the complete content of one writer when several writes to one key interleave"() {
    yield* putInterleaved(() => keyOf(1))
    yield* holdsOneOf(keyOf(1), contents)
  },
  "keeps a key's content when another write to the key fails": overtakeWriter("fails"),
  "keeps a key's content when another write to the key is interrupted":
    overtakeWriter("is interrupted")
})

const old = bytesOf(200_000, 1)

const next = bytesOf(300_000, 2)

/**
 * Number of bytes that arrive before the stream fails: none, or fewer or more than the old content.
 */
const parts = [0, 70_000, 250_000]

export const replacements: Cases<Ports> = listCases(MediaStore, {
  *"keeps either the old content or no content when a replacement fails"(store) {
    for (const [index, length] of parts.entries()) {
      const key = keyOf(index)
      yield* put(key, toChunks(old, 65_536))
      const begun = toChunks(next.slice(0, length), 10_000)
      const content = Stream.concat(begun, Stream.fail(new Cut()))
      yield* Effect.flip(store.put({ key, content, byteMax: megabyte }))
      yield* holdsOrMisses(key, old)
    }
  },
  *"shows either the old content or no content until a replacement is complete"(store) {
    const key = keyOf(1)
    yield* put(key, toChunks(old, 65_536))
    const reached = yield* Deferred.make<void>()
    const watched = Stream.tap(toChunks(next, 50_000), () => holdsOrMisses(key, old))
    const pause = Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
    const content = Stream.concat(watched, Stream.fromEffect(pause))
    const writer = yield* Effect.forkChild(store.put({ key, content, byteMax: megabyte }))
    yield* Effect.raceFirst(Deferred.await(reached), Fiber.join(writer))
    yield* holdsOrMisses(key, old)
    yield* Fiber.interrupt(writer)
    yield* holdsOrMisses(key, old)
    yield* put(key, toChunks(next, 50_000))
    yield* holds(key, next)
  }
})

/**
 * Number of rounds. Trial and error finds the critical moments, which lie between the store's
 * steps.
 */
const rounds = 5

/**
 * Each delay is an eighth longer than the one before, so that some delays hit steps of any length.
 */
const growth = 9 / 8

/** Maximum number of event loop runs. A store that needs more is too slow for this case. */
const stormTurnMax = 100_000

const content = bytesOf(1_000)

/**
 * Starts to store content, and interrupts the write after a number of event loop runs. Returns
 * whether the write finished first.
 */
const interruptedAfter = Effect.fnUntraced(function* (key: MediaKey, turns: number) {
  const store = yield* MediaStore
  const writer = yield* Effect.forkChild(
    store.put({ key, content: Stream.make(content), byteMax: 1_000 })
  )
  yield* Effect.forEach(upTo(Math.floor(turns)), () => runEventLoopOnce, { discard: true })
  yield* Fiber.interrupt(writer)
  return Exit.isSuccess(yield* Fiber.await(writer))
})

export const interruption: Cases<Ports> = listCases(MediaStore, {
  *"discards content whose write is interrupted, even after its last byte was read"() {
    for (const round of upTo(rounds)) {
      const key = keyOf(round)
      let isStored = false
      for (let turns = 1; !isStored && turns < stormTurnMax; turns *= growth) {
        isStored = yield* interruptedAfter(key, turns)
        yield* isStored ? holds(key, content) : isMissing(key)
      }
    }
  },
  *"keeps either the old content or no content when a replacement is interrupted at any point"() {
    const old = bytesOf(2_000, 2)
    // This case tries fewer delays, because each attempt first stores the old content again.
    for (const round of upTo(2)) {
      const key = keyOf(round)
      let isStored = false
      for (let turns = 1; !isStored && turns < stormTurnMax; turns *= growth ** 2) {
        yield* put(key, Stream.make(old))
        isStored = yield* interruptedAfter(key, turns)
        yield* isStored ? holds(key, content) : holdsOrMisses(key, old)
      }
    }
  }
})
