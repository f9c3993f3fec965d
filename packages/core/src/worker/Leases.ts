/** Renews the leases that this process holds, and stops work that may have lost its lease. */

import { Clock, Deferred, Duration, Effect, Scope } from "effect"
import type { JobId } from "../domain/attempt/Attempt.ts"
import { refusal } from "../domain/schema/Refusal.ts"
import { coreMetrics } from "../metrics/CoreTable.ts"
import { type Lease, WorkQueue } from "../ports/WorkQueue.ts"
import { makeOutageLog, reasonOf } from "../services/OutageLog.ts"
/** The lease was lost: another worker has it, or may have it. */
export class LeaseLost extends refusal<LeaseLost>()("LeaseLost", {
  sentence: "The lease is lost: another worker has, or may have, the work"
}) {}

/**
 * Interval between renewals. One renewal can fail, because two fit into the time for which a lease
 * is trusted.
 */
export const renewalInterval: Duration.Duration = Duration.seconds(10)

/** Maximum time for a renewal. A slower renewal counts as failed. */
const renewalTimeout: Duration.Duration = Duration.seconds(5)

/** How long work continues without a renewal: until 5 s before the lease lapses. */
export const trustDuration: Duration.Duration = Duration.seconds(25)

/** A lease that is renewed until its work ends. */
export interface Hold {
  /**
   * An effect that never succeeds, and fails as soon as the lease is lost or can no longer be
   * trusted.
   */
  readonly lost: Effect.Effect<never, LeaseLost>
  /** Sets the progress, from 0 to 1, that the next renewal reports. */
  readonly note: (progress: number) => Effect.Effect<void>
}

interface Held {
  readonly lease: Lease
  progress: number | undefined
  readonly lost: Deferred.Deferred<never, LeaseLost>
  /** The monotonic timestamp until which the lease is certainly held. */
  trustedUntil: bigint
}

const trustNanos = Duration.toNanosUnsafe(trustDuration)

/**
 * Creates a function that keeps a lease renewed while the caller's scope is open. `claimedAt` is
 * the monotonic timestamp just before the claim was sent; the lease began no earlier.
 */
export const makeHold = Effect.gen(function* () {
  const held = new Map<JobId, Held>()
  yield* renewForever(held)

  return Effect.fnUntraced(function* (
    lease: Lease,
    claimedAt: bigint
  ): Effect.fn.Return<Hold, never, Scope.Scope> {
    const entry: Held = {
      lease,
      progress: undefined,
      lost: yield* Deferred.make<never, LeaseLost>(),
      trustedUntil: claimedAt + trustNanos
    }
    yield* Scope.addFinalizer(
      yield* Effect.scope,
      Effect.sync(() => held.get(lease.jobId) === entry && held.delete(lease.jobId))
    )
    held.set(lease.jobId, entry)
    yield* Effect.forkScoped(watch(entry))
    return {
      lost: Deferred.await(entry.lost),
      note: (progress) =>
        Effect.sync(() => {
          // The progress is limited to 0 to 1, because an engine may report any value.
          if (!Number.isNaN(progress)) entry.progress = Math.min(Math.max(progress, 0), 1)
        })
    }
  })
})

/** Records that a lease is lost, and counts only the first loss. */
const lose = (entry: Held, reason: "overdue" | "taken") =>
  Effect.flatMap(Deferred.fail(entry.lost, new LeaseLost()), (isFirst) =>
    isFirst ? coreMetrics.leasesLost.record({ reason }) : Effect.void
  )

const watch = Effect.fnUntraced(function* (entry: Held) {
  const clock = yield* Clock.Clock
  for (;;) {
    const remaining = entry.trustedUntil - clock.monotonicTimeNanosUnsafe()
    if (remaining <= 0n) return yield* lose(entry, "overdue")
    yield* Effect.sleep(Duration.nanos(remaining))
  }
})

/** Renews all held leases at an interval until the scope ends. */
const renewForever = Effect.fnUntraced(function* (held: ReadonlyMap<JobId, Held>) {
  const { renew: renewAll } = yield* WorkQueue
  const clock = yield* Clock.Clock
  const renewalLog = yield* makeOutageLog({
    failing: "Leases cannot be renewed: work stops after 25 s without a renewal",
    working: "Leases can be renewed",
    reminds: false
  })

  /** Renews all held leases, and ends those that the store did not extend. */
  const renew = Effect.fnUntraced(function* () {
    const entries = [...held.values()]
    if (entries.length === 0) return
    const sentAt = clock.monotonicTimeNanosUnsafe()
    const { busy, extended } = yield* renewAll(
      entries.map(({ lease, progress }) => ({ ...lease, progress }))
    )
    yield* renewalLog.worked
    for (const entry of entries) {
      const { jobId } = entry.lease
      if (extended.has(jobId)) entry.trustedUntil = sentAt + trustNanos
      // A busy lease stays trusted until its current limit, and no longer.
      else if (!busy.has(jobId)) yield* lose(entry, "taken")
    }
  })

  yield* renew().pipe(
    Effect.timeout(renewalTimeout),
    // Defects are caught too, because without renewals, this process would lose all work that it
    // claims.
    Effect.catchCause((cause) =>
      Effect.andThen(coreMetrics.renewalsFailed.record({}), renewalLog.failed(reasonOf(cause)))
    ),
    // The interval is measured from start to start, so that a renewal that times out does not delay
    // the next one.
    repeatEvery(renewalInterval),
    Effect.forkScoped
  )
})

/**
 * Repeats an effect at an interval that is measured from start to start. If the effect took longer
 * than the interval, it is repeated immediately.
 */
export const repeatEvery =
  (interval: Duration.Duration) =>
  <A, R>(work: Effect.Effect<A, never, R>): Effect.Effect<never, never, R> =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const beat = Duration.toNanosUnsafe(interval)
      let next = clock.monotonicTimeNanosUnsafe()
      for (;;) {
        yield* work
        const now = clock.monotonicTimeNanosUnsafe()
        next += beat
        if (next < now) next = now
        yield* Effect.sleep(Duration.nanos(next - now))
      }
    })
