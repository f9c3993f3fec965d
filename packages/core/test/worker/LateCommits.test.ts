/** An attempt sends no commit once its lease may belong to another worker. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript } from "@verbatim/testkit/fakes"
import { Clock, Duration, Effect, Equal, Layer, Option, Scope } from "effect"
import { type Commit, JobStore, unanswered } from "#src/ports/JobStore"
import { leaseDuration, WorkQueue } from "#src/ports/WorkQueue"
import { pass, script, submit, withCaller } from "../world/caller.ts"
import { replace } from "../world/ports.ts"
import { worker } from "../world/world.ts"

const refusal = unanswered("commit")

describe("A commit that ends an attempt", () => {
  it.effect(
    "is retried for a while after the lease is no longer trusted, but not until the lease lapses",
    () =>
      withCaller(function* (principal) {
        const store = yield* JobStore
        let claimedAt = Number.NaN
        let first: Commit["token"] = Option.none()
        const tries: Array<number> = []
        // The attempt ends just before the worker stops trusting its lease.
        yield* script({ transcribe: Effect.delay(calmScript.transcribe, "24500 millis") })
        const troubled = Layer.mergeAll(
          replace(WorkQueue, (queue) => ({
            claim: (request) =>
              Effect.gen(function* () {
                const now = yield* Clock.currentTimeMillis
                const claimed = yield* queue.claim(request)
                if (claimed.jobs.length > 0 && Option.isNone(first)) {
                  first = Option.some(request.token)
                  claimedAt = now
                }
                return claimed
              }),
            renew: () => Effect.never
          })),
          Layer.succeed(JobStore, {
            ...store,
            commit: (commit) =>
              Effect.gen(function* () {
                if (commit.isLeaseKept) return yield* store.commit(commit)
                if (Equal.equals(commit.token, first)) tries.push(yield* Clock.currentTimeMillis)
                return yield* refusal
              })
          })
        )
        // The test never closes the scope, because that would wait for this store.
        yield* Layer.buildWithScope(worker.pipe(Layer.provide(troubled)), yield* Scope.make())
        yield* submit(principal, {})
        yield* pass(31)
        const sinceClaim = tries.map((at) => at - claimedAt)
        assert.isAbove(sinceClaim.length, 3)
        // The last retry ends before the lease can lapse.
        assert.isBelow(Math.max(...sinceClaim), Duration.toMillis(leaseDuration) - 1_000)
      })
  )
})
