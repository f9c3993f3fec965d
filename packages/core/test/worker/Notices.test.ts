/** Tests when a host's listener is called, and how its notices end. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript, FakeWebhookSender } from "@verbatim/testkit/fakes"
import { Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { type JobCall, JobListenerError } from "#src/ports/JobListener"
import type { JobStore } from "#src/ports/JobStore"
import { collecting, retain, work } from "../services/retention/OldJobs.ts"
import { callback, look, pass, script, submit, undecodable, using } from "../world/caller.ts"
import { worker, workerOf } from "../world/world.ts"
import { listening, noticesOf, stored, withHost } from "./Hosts.ts"

/** Listeners that never accept a notice, each with the failure that is recorded. */
const broken: ReadonlyArray<
  readonly [does: string, how: Effect.Effect<void, JobListenerError>, detail: string]
> = [
  ["fails", Effect.fail(new JobListenerError({ detail: "no room" })), "no room"],
  ["dies", Effect.die(new TypeError("secret")), "it threw: TypeError"],
  ["never returns", Effect.never, "it took too long"],
  ["is interrupted", Effect.interrupt, "it was interrupted"]
]

describe("A host that requests notices", () => {
  it.effect("is notified only once, after the webhook has ended", () =>
    withHost(function* (principal) {
      const receiver = yield* FakeWebhookSender
      const host = listening(() => Effect.void)
      yield* Layer.build(host.worker)
      yield* receiver.behave(() => Effect.succeed(503))
      const job = yield* submit(principal, callback)
      assert.strictEqual(job.notice_status, "PENDING")
      yield* pass(100)
      assert.lengthOf(host.calls, 0)
      yield* pass(100)
      assert.lengthOf(host.calls, 1)
      assert.strictEqual(host.calls[0]?.job.id, job.id)
      assert.strictEqual(host.calls[0]?.job.delivery?._tag, "Failed")
      assert.strictEqual((yield* look(principal, job)).notice_status, "COMPLETED")
      assert.deepStrictEqual(
        (yield* noticesOf(principal, job)).map(({ event }) => event),
        ["attempt_started", "listener_returned"]
      )
    })
  )

  for (const [does, how, detail] of broken) {
    it.effect(`is notified three times, a minute apart, if its listener ${does}`, () =>
      withHost(function* (principal) {
        const host = listening(() => how)
        yield* Layer.build(host.worker)
        const job = yield* submit(principal, {})
        yield* pass(300)
        assert.deepStrictEqual(
          host.calls.map(({ attempt }) => attempt),
          [1, 2, 3]
        )
        assert.strictEqual(new Set(host.calls.map(({ id }) => id)).size, 1)
        for (const [index, { atMillis }] of host.calls.entries()) {
          const before = host.calls[index - 1]?.atMillis ?? Number.NEGATIVE_INFINITY
          assert.isAtLeast(atMillis - before, 60_000)
        }
        const { notice } = yield* stored(principal, job)
        assert.strictEqual(notice?._tag, "Failed")
        if (notice?._tag !== "Failed") return
        assert.deepStrictEqual(notice.failure, { _tag: "ListenerFailed", detail })
        assert.strictEqual((yield* look(principal, job)).notice_status, "FAILED")
        const events = yield* noticesOf(principal, job)
        assert.strictEqual(events.at(-1)?.event, "given_up")
        assert.strictEqual(events.at(-1)?.error, "The listener of the host failed")
        assert.notInclude(JSON.stringify(events), detail)
      })
    )
  }

  it.effect("is notified of other jobs even if a call to its listener cannot be interrupted", () =>
    withHost(function* (principal) {
      const scope = yield* Scope.make()
      const stuck = yield* submit(principal, {})
      const one = workerOf({ Fetch: 1, Transcribe: 1, Summarize: 1, Deliver: 1, Notify: 1 })
      const isStuck = ({ job }: JobCall) => job.id === stuck.id
      const host = listening(
        (call) => (isStuck(call) ? Effect.uninterruptible(Effect.never) : Effect.void),
        one
      )
      yield* Layer.buildWithScope(host.worker, scope)
      yield* pass(5)
      const next = yield* submit(principal, {})
      yield* pass(20)
      assert.isTrue(host.calls.every(isStuck))
      yield* pass(15)
      assert.strictEqual((yield* look(principal, next)).notice_status, "COMPLETED")
      yield* pass(250)
      const { notice } = yield* stored(principal, stuck)
      assert.strictEqual(notice?._tag === "Failed" && notice.attempt, 3)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* pass(15)
      assert.isDefined(closing.pollUnsafe())
    })
  )

  it.effect("has a slow call to its listener interrupted before the attempt ends", () =>
    withHost(function* (principal) {
      const job = yield* submit(principal, {})
      const ends: Array<string | undefined> = []
      const leave = stored(principal, job).pipe(
        Effect.delay("1 second"),
        Effect.map(({ notice }) => ends.push(notice?._tag)),
        Effect.orDie,
        Effect.provideContext(yield* Effect.context<JobStore>())
      )
      const host = listening(() => Effect.onInterrupt(Effect.never, () => Effect.asVoid(leave)))
      yield* Layer.build(host.worker)
      yield* pass(40)
      assert.deepStrictEqual(ends, ["Calling"])
    })
  )

  it.effect("is notified by a process with a listener, even if other workers are running", () =>
    withHost(function* (principal) {
      yield* Layer.build(Layer.fresh(worker))
      const job = yield* submit(principal, callback)
      yield* pass(10)
      const { notice } = yield* stored(principal, job)
      assert.strictEqual(notice?._tag, "Waiting")
      // A redelivery does not wait for the pending notice.
      yield* using((jobs) => jobs.redeliver(principal, job.id))
      yield* pass(5)
      assert.lengthOf(yield* Effect.flatMap(FakeWebhookSender, ({ received }) => received), 2)
      const host = listening(() => Effect.void)
      yield* Layer.build(host.worker)
      yield* pass(5)
      assert.lengthOf(host.calls, 1)
    })
  )

  it.effect(
    "is notified again after a worker stopped during a call, which counts as an attempt",
    () =>
      withHost(function* (principal) {
        const scope = yield* Scope.make()
        const first = listening(() => Effect.never)
        yield* Layer.buildWithScope(first.worker, scope)
        const job = yield* submit(principal, {})
        yield* pass(5)
        yield* Scope.close(scope, yield* Effect.exit(Effect.void))
        const next = listening(() => Effect.void)
        yield* Layer.build(next.worker)
        yield* pass(80)
        assert.lengthOf(next.calls, 0)
        yield* pass(15)
        assert.deepStrictEqual(
          next.calls.map(({ attempt, id }) => [attempt, id]),
          [[2, first.calls[0]?.id]]
        )
        assert.strictEqual((yield* look(principal, job)).notice_status, "COMPLETED")
      })
  )
})

describe("A host that requests no notices", () => {
  it.effect("gets no notice even if it has a listener", () =>
    withHost(function* (principal) {
      const host = listening(() => Effect.void)
      yield* Layer.build(host.worker)
      const job = yield* submit(principal, {})
      yield* pass(5)
      assert.isUndefined((yield* look(principal, job)).notice_status)
      assert.lengthOf(host.calls, 0)
    }, false)
  )
})

describe("A job with a notice that waits for its host", () => {
  it.effect("is kept until the notice has been sent, whatever the retention rule", () =>
    withHost(function* (principal) {
      yield* retain(principal, { mediaDays: 1, transcriptDays: 1, jobDays: 1 })
      const job = yield* submit(principal, {})
      yield* work
      yield* collecting
      yield* TestClock.adjust("40 days")
      const { keeping, notice } = yield* stored(principal, job)
      assert.strictEqual(notice?._tag, "Waiting")
      assert.isUndefined(keeping)
      const view = yield* look(principal, job)
      assert.strictEqual(view.transcription_status, "COMPLETED")
      const host = listening(() => Effect.void)
      yield* Effect.scoped(Effect.andThen(Layer.build(host.worker), pass(5)))
      assert.lengthOf(host.calls, 1)
      yield* TestClock.adjust("3 days")
      const gone = yield* Effect.flip(look(principal, job))
      assert.strictEqual(gone._tag, "RequestNotFound")
    })
  )

  it.effect("can be retried after a failure, and then sends only one notice", () =>
    withHost(function* (principal) {
      yield* script({ decode: undecodable })
      const job = yield* submit(principal, {})
      yield* work
      const first = yield* stored(principal, job)
      yield* script({ decode: calmScript.decode })
      yield* using((jobs) => jobs.retry(principal, job.id))
      const second = yield* stored(principal, job)
      assert.notStrictEqual(second.notice?.id, first.notice?.id)
      const host = listening(() => Effect.void)
      yield* Layer.build(host.worker)
      yield* pass(10)
      assert.deepStrictEqual(
        host.calls.map(({ id, job: { transcription } }) => [id, transcription._tag]),
        [[second.notice?.id, "Transcribed"]]
      )
    })
  )
})
