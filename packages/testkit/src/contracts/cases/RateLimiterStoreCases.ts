/**
 * Contract cases for `RateLimiterStore` as this project uses it: processes share buckets that hold
 * the requests of one second and refill within a second.
 */
import { Duration, Effect } from "effect"
import { RateLimiter } from "effect/persistence"
import { upTo } from "../../samples/index.ts"
import { advance, atOnce, type Cases, type Contract, listCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"

type Store = RateLimiter.RateLimiterStore

/** Takes tokens. Returns how many are left, or a negative number if no token was taken. */
const take = (key: string, limit: number, tokens = 1) =>
  RateLimiter.RateLimiterStore.use((store) =>
    Effect.map(
      store.tokenBucket({
        key,
        limit,
        tokens,
        refillRate: Duration.millis(1_000 / limit),
        allowOverflow: false
      }),
      ([left]) => left
    )
  )

const cases: Cases<Store> = listCases(RateLimiter.RateLimiterStore, {
  *"grants many concurrent calls exactly the tokens that a bucket holds"() {
    const left = yield* atOnce(upTo(24), () => take("a", 5))
    yield* Expect.that("five are granted", left.filter((each) => each >= 0).length).is(5)
  },
  *"refills a bucket at the configured rate, up to the size of the bucket"() {
    yield* take("a", 10, 10)
    yield* Expect.that("the bucket is empty", yield* take("a", 10)).is(-1)
    yield* advance(Duration.millis(250))
    yield* Expect.that("two are there after a quarter of a second", [
      yield* take("a", 10, 2),
      yield* take("a", 10)
    ]).is([0, -1])
    yield* advance(Duration.millis(50))
    yield* Expect.that("the remaining half counts", [
      yield* take("a", 10),
      yield* take("a", 10)
    ]).is([0, -1])
    yield* advance(Duration.hours(5))
    yield* Expect.that("the bucket is full", yield* take("a", 10, 10)).is(0)
  },
  *"takes no tokens from a bucket that holds too few"() {
    yield* take("a", 4, 2)
    yield* Expect.that("three are not there, two are", [
      yield* take("a", 4, 3),
      yield* take("a", 4, 2)
    ]).is([-1, 0])
  },
  *"counts the tokens of each bucket separately"() {
    yield* take("a", 1)
    yield* Expect.that("another bucket is full", [
      yield* take("a", 1),
      yield* take("b", 1),
      yield* take("c", 2)
    ]).is([-1, 0, 1])
  },
  *"returns how much of the next token has been refilled"() {
    const store = yield* RateLimiter.RateLimiterStore
    const ask = { key: "a", limit: 4, tokens: 4, refillRate: Duration.millis(250) }
    yield* store.tokenBucket({ ...ask, allowOverflow: false })
    yield* advance(Duration.millis(300))
    yield* store
      .tokenBucket({ ...ask, tokens: 1, allowOverflow: false })
      .pipe(Expect.gives("a fifth is refilled", [0, 50] as const))
  }
})

export const contract: Contract<Store> = { port: "RateLimiterStore", cases }
