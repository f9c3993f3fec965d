/** Tests how quickly an idle worker finds a job that another process accepted. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { countClaims } from "../world/ports.ts"
import { deployment, worker } from "../world/world.ts"

describe("An idle worker", () => {
  it.effect("claims every 250 ms", () =>
    Effect.gen(function* () {
      const { claims, layer } = yield* countClaims
      yield* Layer.build(worker.pipe(Layer.provide(layer)))
      yield* TestClock.adjust("1 millis")
      for (let looks = 1; looks <= 40; looks += 1) {
        assert.strictEqual(claims(), looks)
        yield* TestClock.adjust("250 millis")
      }
    }).pipe(Effect.scoped, Effect.provide(deployment))
  )
})
