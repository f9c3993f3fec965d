/** Tests request buckets while the machine's clock changes. */
import { assert, describe, it } from "@effect/vitest"
import * as Sqlite from "@verbatim/adapters/sqlite"
import { Duration, Effect } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"

const take = Effect.flatMap(RateLimiter.RateLimiterStore, ({ tokenBucket }) =>
  Effect.map(
    tokenBucket({
      key: "a",
      limit: 2,
      tokens: 1,
      refillRate: Duration.millis(500),
      allowOverflow: false
    }),
    ([left]) => left
  )
)

const setClock = (hours: number, millis = 0) =>
  TestClock.setTime(Duration.toMillis(Duration.hours(hours)) + millis)

describe("request buckets", () => {
  it.effect("admit requests immediately if the clock is set back", () =>
    Effect.gen(function* () {
      yield* setClock(10)
      assert.deepStrictEqual(yield* Effect.all([take, take, take]), [1, 0, -1])
      yield* setClock(9)
      assert.deepStrictEqual(yield* Effect.all([take, take, take]), [1, 0, -1])
      yield* setClock(9, 500)
      assert.deepStrictEqual(yield* Effect.all([take, take]), [0, -1])
    }).pipe(Effect.provide(Sqlite.layer({ filename: ":memory:" })))
  )

  it.effect("admit no additional requests if one of two clocks is slightly behind", () =>
    Effect.gen(function* () {
      yield* setClock(10)
      assert.deepStrictEqual(yield* Effect.all([take, take]), [1, 0])
      yield* setClock(10, -900)
      assert.strictEqual(yield* take, -1)
      yield* setClock(10, 500)
      assert.deepStrictEqual(yield* Effect.all([take, take]), [0, -1])
    }).pipe(Effect.provide(Sqlite.layer({ filename: ":memory:" })))
  )
})
