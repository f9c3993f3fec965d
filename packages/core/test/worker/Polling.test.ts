/** How soon a worker sees what another process accepted. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { WorkQueue } from "#src/ports/WorkQueue"
import { deployment, worker } from "./world.ts"

describe("An idle worker", () => {
  it.effect("looks for work every 250 ms", () =>
    Effect.gen(function* () {
      const queue = yield* WorkQueue
      let claims = 0
      const watched = Layer.succeed(WorkQueue, {
        ...queue,
        claim: (request) =>
          Effect.suspend(() => {
            claims += 1
            return queue.claim(request)
          })
      })
      yield* Layer.build(worker.pipe(Layer.provide(watched)))
      yield* TestClock.adjust("1 millis")
      for (let looks = 1; looks <= 40; looks += 1) {
        assert.strictEqual(claims, looks)
        yield* TestClock.adjust("250 millis")
      }
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )
})
