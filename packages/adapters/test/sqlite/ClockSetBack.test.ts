/** Tests presets' idempotency keys in a file while the clock is set back. */
import { assert, describe, it } from "@effect/vitest"
import { IdempotencyKey, keyWindow } from "@verbatim/core/idempotency"
import { PresetStore } from "@verbatim/core/ports"
import { makeDraft, withWorkspace, workspaceId } from "@verbatim/testkit/samples"
import { Clock, Duration, Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { inMemory } from "./TemporaryDatabase.ts"

const key = IdempotencyKey.make("order-1")

const append = (number: number) =>
  Effect.flatMap(PresetStore, (store) => {
    const fingerprint = `${number}`.padStart(64, "0")
    return store.append({ ...makeDraft(number), request: Option.some({ key, fingerprint }) })
  })

/** A clock that is set back by a second after every read. */
const steppingBack = Effect.map(Clock.Clock, (clock): Clock.Clock => {
  let lookCount = 0
  return {
    ...clock,
    currentTimeMillis: Effect.map(clock.currentTimeMillis, (millis) => {
      lookCount += 1
      return millis - (lookCount - 1) * 1_000
    })
  }
})

describe("a preset's idempotency key", () => {
  it.effect("is stored with its version even if the clock is set back between the two writes", () =>
    withWorkspace(function* () {
      const { made } = yield* PresetStore
      yield* append(1)
      yield* TestClock.adjust(keyWindow)
      yield* Effect.provideServiceEffect(append(2), Clock.Clock, steppingBack)
      const found = yield* made(workspaceId(1), key)
      assert.strictEqual(Option.getOrThrow(found).made.version.version, 2)
      yield* TestClock.adjust(Duration.hours(1))
      assert.strictEqual((yield* Effect.flip(append(3))).reason._tag, "KeyTaken")
    }).pipe(Effect.provide(inMemory))
  )
})
