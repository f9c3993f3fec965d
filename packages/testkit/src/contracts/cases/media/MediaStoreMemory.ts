/**
 * A large file goes through a store without being held by it.
 */
import { MediaStore } from "@verbatim/core/ports"
import { Effect, Fiber, Stream } from "effect"
import { type Case, listCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { heldBytes, usedBytes } from "../../HeldBytes.ts"
import { keyOf, megabyte, type Ports, put, turn } from "./MediaStoreContent.ts"

const contentLength = 160 * megabyte

/**
 * A store in a bucket has parts of 8 MB on their way, and a server in the same process would have
 * as many: 60 MB in all.
 */
const heldMax = 100 * megabyte

/** A measurement that may be made at any time, and the results. */
const watchMemory = () => {
  let first = heldBytes()
  let isLow = true
  return {
    look: Effect.sync(() => {
      // Objects that were unreachable at first may be collected later.
      first = Math.min(first, usedBytes())
      // Only when it seems too much is it counted exactly.
      if (isLow && usedBytes() - first > heldMax) isLow = heldBytes() - first <= heldMax
    }),
    isLow: Effect.suspend(() => Expect.holds(`holds no more than ${heldMax} bytes`, isLow))
  }
}

/** Every chunk has bytes of its own: whoever keeps the chunk keeps them. */
const chunks = (look: Effect.Effect<void>): Stream.Stream<Uint8Array> =>
  Stream.range(1, contentLength / megabyte).pipe(
    Stream.rechunk(1),
    Stream.mapEffect((index) => Effect.as(look, new Uint8Array(megabyte).fill(index)))
  )

/** All of them. */
export const memory: ReadonlyArray<Case<Ports>> = listCases(MediaStore, {
  *"stores and opens 160 MB without holding them in memory"(store) {
    const { isLow, look } = watchMemory()
    const length = yield* put(keyOf(1), chunks(look), contentLength)
    yield* isLow
    const watcher = yield* Effect.forkChild(Effect.forever(Effect.andThen(turn, look)))
    const { byteLength } = yield* Effect.scoped(store.open(keyOf(1)))
    yield* Fiber.interrupt(watcher)
    yield* isLow
    yield* Expect.that("both tell the length", [length, byteLength]).is([
      contentLength,
      contentLength
    ])
  }
})
