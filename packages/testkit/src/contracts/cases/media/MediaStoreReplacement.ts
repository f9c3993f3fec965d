/**
 * A key whose content is replaced has the old content until it has the new one, or none. What a
 * reader sees at a moment is what a crash at that moment leaves.
 */
import { MediaStore } from "@verbatim/core/ports"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { type Case, listCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import {
  bytesOf,
  Cut,
  holds,
  holdsOrMisses,
  keyOf,
  megabyte,
  type Ports,
  put,
  toChunks
} from "./MediaStoreContent.ts"

const old = bytesOf(200_000, 1)

const next = bytesOf(300_000, 2)

/** How much of the new content there is before it fails: nothing, a part of the old one, more. */
const parts = [0, 70_000, 250_000]

/** All of them. */
export const replacements: ReadonlyArray<Case<Ports>> = listCases(MediaStore, {
  *"keeps the old content or none when the one that replaces it fails"(store) {
    for (const [index, length] of parts.entries()) {
      const key = keyOf(index)
      yield* put(key, toChunks(old, 65_536))
      const begun = toChunks(next.slice(0, length), 10_000)
      const content = Stream.concat(begun, Stream.fail(new Cut()))
      yield* Effect.flip(store.put({ key, content, byteMax: megabyte }))
      yield* holdsOrMisses(key, old)
    }
  },
  *"keeps the old content or none when the one that replaces it is too large"() {
    yield* put(keyOf(1), toChunks(old, 65_536))
    yield* Expect.refuses(put(keyOf(1), toChunks(next, 10_000), 250_000), "TooLarge")
    yield* holdsOrMisses(keyOf(1), old)
  },
  *"shows the old content or none until the new one is whole, and after it was broken off"(store) {
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
