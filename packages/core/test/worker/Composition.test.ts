/** What services and worker of one process share, and what they do not. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { MediaStore } from "#src/ports/MediaStore"
import { MediaIdentity } from "#src/services/tasks/MediaIdentity"
import { pass } from "../world/caller.ts"
import { replace } from "../world/replace.ts"
import { front, outside, worker } from "../world/world.ts"

/** Looks at the marker of the media store, counted. */
const counted = (looks: { count: number }) =>
  replace(MediaStore, (media) => ({
    marker: Effect.suspend(() => {
      looks.count += 1
      return media.marker
    })
  })).pipe(Layer.provideMerge(outside))

/** Looks while a process polls for three seconds, and whoever reads its health looks then. */
const looksOf = (isWatched: boolean) =>
  Effect.gen(function* () {
    const looks = { count: 0 }
    const process = Layer.mergeAll(front, worker).pipe(Layer.provide(counted(looks)))
    yield* Effect.gen(function* () {
      yield* pass(3)
      if (isWatched) yield* (yield* MediaIdentity).verify
    }).pipe(Effect.provide(process))
    return looks.count
  })

describe("A process with services and a worker", () => {
  it.effect("looks at its media store once for both", () =>
    Effect.gen(function* () {
      const alone = yield* looksOf(false)
      assert.isAbove(alone, 0)
      assert.strictEqual(yield* looksOf(true), alone)
    })
  )
})
