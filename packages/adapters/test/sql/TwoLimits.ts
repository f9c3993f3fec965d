/** Tests that limits hold for both clients of a database together. */
import { assert } from "@effect/vitest"
import { JobStore, type Stores } from "@verbatim/core/ports"
import { apiKeyId, creation, makeUploadJob, upTo } from "@verbatim/testkit/samples"
import { Duration, Effect, Result } from "effect"
import { RateLimiter } from "effect/persistence"
import { atOnce, type TwoClients } from "./TwoClients.ts"

const runOnBoth = <A, E>(
  [one, other]: TwoClients,
  ask: (number: number) => Effect.Effect<A, E, Stores>
) =>
  Effect.forEach(
    upTo(48),
    (number) => Effect.result(Effect.provide(ask(number), number % 2 === 0 ? one : other)),
    atOnce
  )

const countOf = <A, E>(outcomes: ReadonlyArray<Result.Result<A, E>>): number =>
  outcomes.filter(Result.isSuccess).length

/**
 * Submits many jobs through both clients. The limits of the workspace and of the key count the jobs
 * of both.
 */
export const limitsUnfinished = Effect.fnUntraced(function* (both: TwoClients) {
  const insert = (
    number: number,
    unfinishedMax: { workspace: number | null; key: number | null }
  ) =>
    Effect.flatMap(JobStore, (store) =>
      store.insert({
        ...creation(makeUploadJob(number, { keyId: apiKeyId(1) })),
        unfinishedMax
      })
    )
  const ofKey = yield* runOnBoth(both, (number) => insert(number, { workspace: null, key: 5 }))
  assert.strictEqual(countOf(ofKey), 5)
  const all = yield* runOnBoth(both, (number) => insert(100 + number, { workspace: 12, key: null }))
  assert.strictEqual(countOf(all), 7)
})

/**
 * Sends many requests through both clients. The bucket lets through exactly as many as it holds.
 */
export const limitsRequests = Effect.fnUntraced(function* (both: TwoClients) {
  const outcomes = yield* runOnBoth(both, () =>
    Effect.flatMap(RateLimiter.make, (limiter) =>
      limiter.consume({
        algorithm: "token-bucket",
        // With a window this long, the bucket does not leak during the test.
        window: Duration.days(1),
        limit: 7,
        key: "workspace"
      })
    )
  )
  assert.strictEqual(countOf(outcomes), 7)
})
