/** What is left of content whose storing is interrupted, at whatever moment. */

import { MediaStore } from "@verbatim/core/ports"
import type { MediaKey } from "@verbatim/core/transcription"
import { Effect, Exit, Fiber, Stream } from "effect"
import { upTo } from "../../../samples/Ids.ts"
import { type Case, listCases } from "../../Contract.ts"
import {
  bytesOf,
  holds,
  holdsOrMisses,
  isMissing,
  keyOf,
  type Ports,
  put,
  turn
} from "./MediaStoreContent.ts"

/** The moments are those between the steps of the store, so they are met by trying. */
const rounds = 5

/** Each moment is an eighth later than the one before, so that steps of any length are hit. */
const growth = 9 / 8

/** A store that has not ended within this many turns of the event loop is too slow to be tried. */
const turnMax = 100_000

const content = bytesOf(1_000)

/** Stores content and interrupts that some turns later. Says whether the store was faster. */
const interruptedAfter = Effect.fnUntraced(function* (key: MediaKey, turns: number) {
  const store = yield* MediaStore
  const writer = yield* Effect.forkChild(
    store.put({ key, content: Stream.make(content), byteMax: 1_000 })
  )
  yield* Effect.forEach(upTo(Math.floor(turns)), () => turn, { discard: true })
  yield* Fiber.interrupt(writer)
  return Exit.isSuccess(yield* Fiber.await(writer))
})

/** What becomes of a put that is broken off. */
export const interruption: ReadonlyArray<Case<Ports>> = listCases(MediaStore, {
  *"keeps nothing of an interrupted content, even when its last byte was read"() {
    for (const round of upTo(rounds)) {
      const key = keyOf(round)
      let isStored = false
      for (let turns = 1; !isStored && turns < turnMax; turns *= growth) {
        isStored = yield* interruptedAfter(key, turns)
        yield* isStored ? holds(key, content) : isMissing(key)
      }
    }
  },
  *"keeps the old content or none when a replacement is interrupted, whenever that is"() {
    const old = bytesOf(2_000, 2)
    // Fewer moments: each needs the old content anew.
    for (const round of upTo(2)) {
      const key = keyOf(round)
      let isStored = false
      for (let turns = 1; !isStored && turns < turnMax; turns *= growth ** 2) {
        yield* put(key, Stream.make(old))
        isStored = yield* interruptedAfter(key, turns)
        yield* isStored ? holds(key, content) : holdsOrMisses(key, old)
      }
    }
  }
})
