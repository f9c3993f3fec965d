/**
 * What is left of content whose storing is interrupted, at whatever moment that comes.
 */
import { MediaStore } from "@verbatim/core/ports/MediaStore"
import * as MediaKey from "@verbatim/core/transcription/MediaKey"
import { Effect, Exit, Fiber, Stream } from "effect"
import { jobId, upTo } from "../../samples/Ids.ts"
import type { Case } from "../Contract.ts"
import * as Expect from "../Expect.ts"

/** The moments are those between the steps of the store, so they are met by trying. */
const rounds = 5

/** Each moment is later than the one before by an eighth, so that steps of any length are met. */
const growth = 9 / 8

/** A store that has not ended within so many turns of the event loop is too slow to be tried. */
const turnMax = 100_000

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))

/** Stores content and interrupts that some turns later. Tells whether the store was faster. */
const interruptedAfter = Effect.fnUntraced(function* (key: MediaKey.MediaKey, turns: number) {
  const store = yield* MediaStore
  const content = Stream.make(new Uint8Array(1_000))
  const writer = yield* Effect.forkChild(store.put({ key, content, byteMax: 1_000 }))
  yield* Effect.forEach(upTo(Math.floor(turns)), () => turn, { discard: true })
  yield* Fiber.interrupt(writer)
  return Exit.isSuccess(yield* Fiber.await(writer))
})

/** Of the life of a put that is broken off. */
export const interruption: Case<MediaStore> = {
  title: "keeps nothing of an interrupted content, also when its last byte was read",
  effect: Effect.gen(function* () {
    const store = yield* MediaStore
    for (const round of upTo(rounds)) {
      const key = MediaKey.make({ jobId: jobId(round), attempt: 0, extension: ".mp3" })
      let isStored = false
      for (let turns = 1; !isStored && turns < turnMax; turns *= growth) {
        isStored = yield* interruptedAfter(key, turns)
        const opened = Effect.scoped(store.open(key))
        yield* isStored ? opened : Expect.refuses(opened, "Missing")
      }
    }
  })
}
