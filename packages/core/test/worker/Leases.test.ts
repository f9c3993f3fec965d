/** An attempt sends no commit once its lease may belong to another worker. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript } from "@verbatim/testkit/fakes"
import { jobId, leaseToken, readLedger } from "@verbatim/testkit/samples"
import { Clock, Duration, Effect, Equal, Exit, Layer, Option, Scope } from "effect"
import { TestClock } from "effect/testing"
import { JobId } from "#src/domain/attempt/Attempt"
import { type Commit, JobStore, unanswered } from "#src/ports/JobStore"
import { leaseDuration, WorkQueue } from "#src/ports/WorkQueue"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { makeHold, renewalInterval, trustDuration } from "#src/worker/Leases"
import { look, pass, script, stored, submit, withCaller, withWorker } from "../world/caller.ts"
import { replace } from "../world/ports.ts"
import { worker } from "../world/world.ts"

const later = Effect.sleep("5 seconds")

describe("Workers with leases", () => {
  it.effect("keep jobs in the queue until an engine is ready", () =>
    withWorker(function* (principal) {
      yield* script({ readiness: { _tag: "Preparing", sentence: "It is coming." } })
      const accepted = yield* submit(principal, {})
      yield* pass(60)
      assert.strictEqual((yield* look(principal, accepted)).transcription_status, "IN_QUEUE")
      yield* script({ readiness: { _tag: "Ready", engine: "fake" } })
      yield* pass(1)
      assert.strictEqual((yield* look(principal, accepted)).transcription_status, "COMPLETED")
    })
  )

  it.effect("renew a lease while an engine works for ten minutes", () =>
    withWorker(function* (principal) {
      yield* script({
        transcribe: Effect.delay(calmScript.transcribe, "10 minutes")
      })
      const accepted = yield* submit(principal, {})
      yield* pass(590)
      assert.strictEqual((yield* look(principal, accepted)).transcription_status, "IN_PROGRESS")
      yield* pass(15)
      assert.strictEqual((yield* look(principal, accepted)).transcription_status, "COMPLETED")
      const history = yield* Effect.flatMap(JobStore, (s) => s.history(JobId.make(accepted.id)))
      assert.strictEqual(history.length, 3)
    })
  )

  it.effect("know that their own commit ended a lease, even if its response is late", () =>
    withCaller(function* (principal) {
      yield* script({ transcribe: Effect.delay(calmScript.transcribe, "9 seconds") })
      // Because the response is late, a lease renewal happens before it arrives.
      const slow = replace(JobStore, (store) => ({
        commit: (change) =>
          change.isLeaseKept ? store.commit(change) : Effect.tap(store.commit(change), () => later)
      }))
      yield* Layer.build(worker.pipe(Layer.provide(slow)))
      yield* submit(principal, {})
      yield* pass(20)
      assert.deepStrictEqual(yield* stored, [])
    })
  )

  it.effect("release running work when they stop, without counting the attempt", () =>
    withCaller(function* (principal) {
      yield* script({ transcribe: Effect.never })
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(worker, scope)
      const accepted = yield* submit(principal, {})
      yield* pass(1)
      assert.strictEqual((yield* look(principal, accepted)).transcription_status, "IN_PROGRESS")
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* look(principal, accepted)).transcription_status, "IN_QUEUE")
      const store = yield* JobStore
      const job = yield* Effect.flatten(
        Effect.map(store.find(principal.workspaceId, JobId.make(accepted.id)), Effect.fromOption)
      )
      assert.strictEqual(job.transcription._tag === "Queued" && job.transcription.attempts, 0)
    })
  )

  it.effect("stop work before its lease lapses if no renewal succeeds, and commit nothing", () =>
    withCaller(function* (principal) {
      let runs = 0
      let stops = 0
      yield* script({
        transcribe: Effect.suspend(() => {
          runs += 1
          return runs === 1 ? Effect.never : calmScript.transcribe
        }).pipe(Effect.onInterrupt(() => Effect.sync(() => (stops += 1))))
      })
      const cutOff = replace(WorkQueue, () => ({ renew: () => Effect.never }))
      yield* Layer.build(worker.pipe(Layer.provide(cutOff)))
      const accepted = yield* submit(principal, {})
      yield* pass(24)
      assert.strictEqual(stops, 0)
      yield* pass(2)
      assert.strictEqual(stops, 1)
      assert.strictEqual((yield* look(principal, accepted)).transcription_status, "IN_PROGRESS")
      // The lease lapses at 30 s. The next claim records the loss, and the claim after it runs the
      // task.
      yield* pass(6)
      assert.strictEqual((yield* look(principal, accepted)).transcription_status, "COMPLETED")
      assert.strictEqual(runs, 2)
    })
  )

  it.effect("charge a job once even if the response to the commit is lost", () =>
    withCaller(function* (principal) {
      const scope = yield* Scope.make()
      const lossy = replace(JobStore, (store) => ({
        commit: (commit) => Effect.flatMap(store.commit(commit), () => unanswered("commit"))
      }))
      yield* Layer.buildWithScope(Layer.fresh(worker).pipe(Layer.provide(lossy)), scope)
      const accepted = yield* submit(principal, {})
      yield* pass(5)
      const done = yield* look(principal, accepted)
      assert.strictEqual(done.transcription_status, "COMPLETED")
      const ledger = yield* readLedger(yield* WorkspaceStore, principal.workspaceId)
      assert.deepStrictEqual(
        ledger.map(({ millis }) => millis),
        [36_000_000, -120_000]
      )
      yield* Scope.close(scope, Exit.void)
    })
  )
})

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
