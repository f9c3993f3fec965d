import { assert, describe, it } from "@effect/vitest"
import { calmScript } from "@verbatim/testkit/fakes"
import { readLedger } from "@verbatim/testkit/samples"
import { Effect, Exit, Layer, Scope } from "effect"
import { JobId } from "#src/domain/attempt/Attempt"
import { JobStore, unanswered } from "#src/ports/JobStore"
import { WorkQueue } from "#src/ports/WorkQueue"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
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
