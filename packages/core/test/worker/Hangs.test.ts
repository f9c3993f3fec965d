import { assert, describe, it } from "@effect/vitest"
import { calmScript, FakeEngines } from "@verbatim/testkit/fakes"
import { Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { JobId } from "#src/domain/attempt/Attempt"
import { JobStore } from "#src/ports/JobStore"
import { MediaStore } from "#src/ports/MediaStore"
import { WorkQueue } from "#src/ports/WorkQueue"
import { WorkspaceStore } from "#src/ports/WorkspaceStore"
import { Jobs } from "#src/services/jobs/Jobs"
import { callback, look, pass, script, submit, withCaller } from "../world/caller.ts"
import { replace } from "../world/ports.ts"
import { worker, workerOf } from "../world/world.ts"

/** A job store in which commits hang, from the given one on, counted from 0. */
const hangingFrom = (ordinal: number) =>
  replace(JobStore, (store) => {
    let commits = 0
    return {
      commit: (commit) =>
        Effect.suspend(() => (commits++ < ordinal ? store.commit(commit) : Effect.never))
    }
  })

/**
 * Closes a scope while the clock advances, and returns whether it was closed within a few seconds.
 */
const endsWithin = (seconds: number, scope: Scope.Closeable) =>
  Effect.gen(function* () {
    const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
    yield* pass(seconds)
    return closing.pollUnsafe() !== undefined
  })

describe("A worker with hanging dependencies", () => {
  for (const [what, ordinal] of [
    ["begins", 0],
    ["ends", 1]
  ] as const) {
    it.effect(`stops within seconds even if the commit that ${what} an attempt hangs`, () =>
      withCaller(function* (principal) {
        const scope = yield* Scope.make()
        yield* Layer.buildWithScope(worker.pipe(Layer.provide(hangingFrom(ordinal))), scope)
        yield* submit(principal, {})
        yield* pass(1)
        assert.isTrue(yield* endsWithin(9, scope))
      })
    )
  }

  it.effect("gives up waiting for a response, and leaves the job to another worker", () =>
    withCaller(function* (principal) {
      const accepted = yield* submit(principal, {})
      const one = workerOf({ Fetch: 1, Transcribe: 1, Summarize: 1, Deliver: 1 })
      yield* Layer.build(Layer.fresh(one).pipe(Layer.provide(hangingFrom(0))))
      yield* pass(1)
      yield* Layer.build(Layer.fresh(worker))
      // The lease is renewed while the worker retries for about a minute, and then lapses.
      yield* pass(150)
      assert.strictEqual((yield* look(principal, accepted)).transcription_status, "COMPLETED")
    })
  )

  it.effect("continues even if media removals and balance queries hang", () =>
    withCaller(function* (principal) {
      let questions = 0
      const stuck = Layer.mergeAll(
        replace(MediaStore, () => ({ remove: () => Effect.never })),
        replace(WorkspaceStore, (workspaces) => ({
          account: (id) =>
            Effect.suspend(() => (questions++ === 0 ? Effect.never : workspaces.account(id)))
        }))
      )
      const one = workerOf({ Fetch: 1, Transcribe: 1, Summarize: 1, Deliver: 1 })
      yield* Layer.build(one.pipe(Layer.provide(stuck)))
      const first = yield* submit(principal, callback)
      const second = yield* submit(principal, callback)
      yield* pass(90)
      assert.strictEqual((yield* look(principal, first)).status, "WEBHOOK_DELIVERED")
      assert.strictEqual((yield* look(principal, second)).status, "WEBHOOK_DELIVERED")
    })
  )

  it.effect("gives up on work that never ends, and frees its slot", () =>
    withCaller(function* (principal) {
      yield* script({ summarize: Effect.never })
      yield* Layer.build(workerOf({ Fetch: 1, Transcribe: 1, Summarize: 1, Deliver: 1 }))
      const stuck = yield* submit(principal, { summary: "brief" })
      yield* pass(2)
      yield* script({ summarize: calmScript.summarize })
      const next = yield* submit(principal, { summary: "brief" })
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual((yield* look(principal, next)).summary_status, "PENDING")
      yield* TestClock.adjust("1 minute")
      yield* pass(10)
      for (const job of [stuck, next]) {
        assert.strictEqual((yield* look(principal, job)).summary_status, "COMPLETED")
      }
      const { events } = yield* Effect.flatMap(Jobs, (jobs) => jobs.history(principal, stuck.id))
      assert.lengthOf(
        events.filter(({ about, error }) => about === "summary" && error !== undefined),
        1
      )
    })
  )

  it.effect("does no work if the lease is lost before the attempt begins", () =>
    withCaller(function* (principal) {
      const engines = yield* FakeEngines
      const nothingHeld = Effect.succeed({ extended: new Set<JobId>(), busy: new Set<JobId>() })
      const robbed = replace(WorkQueue, () => ({ renew: () => nothingHeld }))
      const scope = yield* Scope.make()
      const stuck = worker.pipe(Layer.provide(hangingFrom(0)), Layer.provide(robbed))
      yield* Layer.buildWithScope(stuck, scope)
      const { id } = yield* submit(principal, {})
      yield* pass(60)
      assert.strictEqual((yield* engines.recognitions).length, 0)
      const store = yield* JobStore
      assert.strictEqual((yield* store.history(JobId.make(id))).length, 1)
      assert.isTrue(yield* endsWithin(9, scope))
    })
  )

  it.effect("runs its other jobs even if a claim also returns a job without pending work", () =>
    withCaller(function* (principal) {
      const ended = yield* Effect.gen(function* () {
        const { id } = yield* submit(principal, {})
        yield* pass(1)
        const store = yield* JobStore
        return yield* Effect.flatMap(
          store.find(principal.workspaceId, JobId.make(id)),
          Effect.fromOption
        )
      }).pipe(Effect.provide(worker))
      const broken = replace(WorkQueue, (queue) => ({
        claim: (request) =>
          Effect.map(queue.claim(request), ({ jobs, ...given }) => ({
            ...given,
            jobs: [ended, ...jobs]
          }))
      }))
      yield* Layer.build(Layer.fresh(worker).pipe(Layer.provide(broken)))
      const accepted = yield* submit(principal, {})
      yield* pass(1)
      assert.strictEqual((yield* look(principal, accepted)).transcription_status, "COMPLETED")
    })
  )
})
