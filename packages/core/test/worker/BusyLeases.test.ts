/** Tests leases with rows that are locked during a renewal. */
import { assert, describe, it } from "@effect/vitest"
import { jobId, leaseToken } from "@verbatim/testkit/samples"
import { Clock, Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { JobId } from "#src/domain/attempt/Attempt"
import { WorkQueue } from "#src/ports/WorkQueue"
import { makeHold, renewalInterval, trustDuration } from "#src/worker/Leases"

/** A queue whose leases are busy during this many renewals, and are then extended. */
const busyFor = (renewals: number) => {
  let left = renewals
  const none: ReadonlySet<JobId> = new Set()
  return Layer.succeed(WorkQueue, {
    claim: () => Effect.die("nothing is claimed"),
    release: () => Effect.void,
    pendingCounts: Effect.never,
    renew: (leases) =>
      Effect.sync(() => {
        const ids = new Set(leases.map(({ jobId }) => jobId))
        if (leases.length > 0) left -= 1
        return left >= 0 ? { extended: none, busy: ids } : { extended: ids, busy: none }
      })
  })
}

/** Whether a lease counts as lost after this time. */
const isLostAfter = (time: Duration.Duration, renewals: number) =>
  Effect.gen(function* () {
    const hold = yield* makeHold
    const clock = yield* Clock.Clock
    const lease = { jobId: jobId(1), token: leaseToken(1) }
    const { lost } = yield* hold(lease, clock.monotonicTimeNanosUnsafe())
    const fiber = yield* Effect.forkScoped(Effect.exit(lost))
    yield* TestClock.adjust(time)
    return fiber.pollUnsafe() !== undefined
  }).pipe(Effect.scoped, Effect.provide(busyFor(renewals)))

describe("A busy lease", () => {
  it.effect("is trusted only until its last expiry, although the worker still holds it", () =>
    Effect.gen(function* () {
      const moment = Duration.millis(1)
      assert.isFalse(yield* isLostAfter(Duration.subtract(trustDuration, moment), 9))
      assert.isTrue(yield* isLostAfter(trustDuration, 9))
    })
  )

  it.effect("is trusted again when a later renewal extends it", () =>
    Effect.gen(function* () {
      const later = Duration.sum(trustDuration, renewalInterval)
      assert.isFalse(yield* isLostAfter(later, 1))
    })
  )
})
