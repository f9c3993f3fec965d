/**
 * Several writers at the same time, whose chunks take turns: each writes its own content, and of
 * those of one key one wins, intact.
 */

import { MediaStore } from "@verbatim/core/ports"
import type { MediaKey } from "@verbatim/core/transcription"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { upTo } from "../../../samples/Ids.ts"
import { atOnce, type Case, listCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import {
  bytesOf,
  Cut,
  holds,
  holdsOneOf,
  keyOf,
  megabyte,
  type Ports,
  put,
  toChunks,
  turn
} from "./MediaStoreContent.ts"

const writerCount = 4

/** All are of one length, so that a mixture would have that length too. */
const contentLength = 120_000

const contents = upTo(writerCount).map((seed) => bytesOf(contentLength, seed))

/** A store may let the writers of a key wait for each other; then they take no turns. */
const turnMax = 20_000

/** A second or so: a content is stored long before, unless its writer has to wait. */
const wholeTurnMax = 400_000

/** Lets the event loop turn until the condition is true, or until it clearly never will be. */
const until = (isTrue: () => boolean, max = turnMax) =>
  Effect.gen(function* () {
    for (let turns = 0; !isTrue() && turns < max; turns += 1) yield* turn
  })

/** Stores every content under its key; nobody goes on before all have come that far. */
const putInTurns = Effect.fnUntraced(function* (keyFor: (writer: number) => MediaKey) {
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

/** What becomes of a content that another writer of the key overtakes. */
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

/** All of them. */
export const writers: ReadonlyArray<Case<Ports>> = listCases(MediaStore, {
  *"keeps apart what writers of different keys store in turns"() {
    yield* putInTurns((writer) => keyOf(1, writer))
    for (const [writer, bytes] of contents.entries()) yield* holds(keyOf(1, writer), bytes)
  },
  *"keeps one whole content of those that writers of one key store in turns"() {
    yield* putInTurns(() => keyOf(1))
    yield* holdsOneOf(keyOf(1), contents)
  },
  "keeps a content while another of its key fails before its end": overtakeWriter("fails"),
  "keeps a content while another of its key is interrupted before its end":
    overtakeWriter("is interrupted")
})
