/** A host that is told of transcripts: when, by whom, and who waits for whom. */
import { assert, describe, it } from "@effect/vitest"
import { calmScript, FakeEngines, FakeWebhookSender } from "@verbatim/testkit/fakes"
import { Effect, Layer } from "effect"
import type { JobView } from "#src/domain/job/JobView"
import type { Hook } from "#src/domain/notice/Hook"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { AudioDecoderError } from "#src/ports/AudioDecoder"
import { type JobCall, JobListenerError } from "#src/ports/JobListener"
import { noise } from "../services/OldJobs.ts"
import { callback, look, pass, submit } from "../world/caller.ts"
import { worker, workerOf } from "../world/world.ts"
import { listenerOf, noticesOf, stored, using, withHost } from "./Hosts.ts"

const both: ReadonlyArray<Hook> = ["transcribed", "finished"]

const failing = Effect.fail(new JobListenerError({ detail: "no room" }))

/** A worker whose listener has these hooks, and what they were called for. */
const hearing = (
  does: (hook: Hook, call: JobCall) => Effect.Effect<void, JobListenerError> = () => Effect.void,
  { hooks = both, working = worker } = {}
) => {
  const calls: Array<JobCall & { readonly hook: Hook }> = []
  const listener = listenerOf(hooks, (hook, call) =>
    Effect.suspend(() => {
      calls.push({ ...call, hook })
      return does(hook, call)
    })
  )
  return { calls, worker: Layer.fresh(working.pipe(Layer.provide(listener))) }
}

const only =
  (failed: Hook, how: Effect.Effect<void, JobListenerError> = failing) =>
  (hook: Hook) =>
    hook === failed ? how : Effect.void

const hooksOf = (calls: ReadonlyArray<{ readonly hook: Hook }>) => calls.map(({ hook }) => hook)

const webhooks = Effect.flatMap(FakeWebhookSender, ({ received }) => received)

/** What the history says of each webhook, summary and notice, in order. */
const toldOf = (principal: Principal, { id }: JobView) =>
  Effect.map(
    using((jobs) => jobs.history(principal, id)),
    ({ events }) =>
      events
        .filter(({ about }) => about === "webhook" || about === "notice")
        .map(({ about, event, hook = "" }) => `${about} ${hook} ${event}`.replaceAll("  ", " "))
  )

describe("A host that wants to be told of transcripts", () => {
  it.effect("is told before the webhook is sent, and of the end last", () =>
    withHost(function* (principal) {
      const host = hearing()
      yield* Layer.build(host.worker)
      const job = yield* submit(principal, callback)
      assert.strictEqual(job.transcript_notice_status, "PENDING")
      yield* pass(10)
      assert.deepStrictEqual(hooksOf(host.calls), ["transcribed", "finished"])
      const [first, last] = host.calls
      assert.strictEqual(first?.job.transcription._tag, "Transcribed")
      assert.strictEqual(first?.job.delivery?._tag, "Waiting")
      assert.notStrictEqual(first?.id, last?.id)
      assert.deepStrictEqual(yield* toldOf(principal, job), [
        "notice transcribed attempt_started",
        "notice transcribed listener_returned",
        "webhook attempt_started",
        "webhook receiver_accepted",
        "notice finished attempt_started",
        "notice finished listener_returned"
      ])
      const view = yield* look(principal, job)
      assert.strictEqual(view.transcript_notice_status, "TOLD")
      assert.strictEqual(view.notice_status, "TOLD")
    }, both)
  )

  it.effect("holds up no summary and no webhook while its listener fails", () =>
    withHost(function* (principal) {
      const host = hearing(only("transcribed"))
      yield* Layer.build(host.worker)
      const job = yield* submit(principal, { ...callback, summary: "brief" })
      yield* pass(10)
      const early = yield* look(principal, job)
      assert.strictEqual(early.webhook_status, "DELIVERED")
      assert.match(early.summary_status ?? "", /^(COMPLETED|SKIPPED)/)
      assert.strictEqual(early.transcript_notice_status, "PENDING")
      yield* pass(200)
      assert.deepStrictEqual(hooksOf(host.calls), [
        "transcribed",
        "transcribed",
        "transcribed",
        "finished"
      ])
      assert.strictEqual((yield* look(principal, job)).transcript_notice_status, "FAILED")
      const events = yield* noticesOf(principal, job)
      assert.deepStrictEqual(
        events.filter(({ event }) => event === "given_up").map(({ hook }) => hook),
        ["transcribed"]
      )
    }, both)
  )

  it.effect("is told again while a webhook waits for its next attempt", () =>
    withHost(function* (principal) {
      const receiver = yield* FakeWebhookSender
      yield* receiver.behave(() => Effect.succeed(503))
      const host = hearing((_, { attempt }) => (attempt < 3 ? failing : Effect.void))
      yield* Layer.build(host.worker)
      const job = yield* submit(principal, callback)
      yield* pass(65)
      // Both fail a minute apart, the one a moment after the other.
      assert.deepStrictEqual(hooksOf(host.calls), ["transcribed", "transcribed"])
      assert.lengthOf(yield* webhooks, 2)
      assert.strictEqual((yield* look(principal, job)).webhook_status, "PENDING")
      yield* pass(60)
      assert.strictEqual((yield* look(principal, job)).transcript_notice_status, "TOLD")
    }, both)
  )

  it.effect("is not told of a job that has none", () =>
    withHost(function* (principal) {
      const engines = yield* FakeEngines
      yield* engines.script({ decode: new AudioDecoderError({ reason: noise }) })
      const host = hearing()
      yield* Layer.build(host.worker)
      const job = yield* submit(principal, {})
      yield* pass(10)
      assert.deepStrictEqual(hooksOf(host.calls), ["finished"])
      assert.isUndefined((yield* look(principal, job)).transcript_notice_status)
      const wanted = { id: job.id, hook: "transcribed" } as const
      const refusal = yield* Effect.flip(using((jobs) => jobs.renotify(principal, wanted)))
      assert.strictEqual(refusal._tag, "NoticeMissing")
      // Another run has a transcript, and both notices are new.
      const before = yield* stored(principal, job)
      yield* engines.script({ decode: calmScript.decode })
      yield* using((jobs) => jobs.retry(principal, job.id))
      yield* pass(10)
      assert.deepStrictEqual(hooksOf(host.calls), ["finished", "transcribed", "finished"])
      const ids = [before.notice?.id, ...host.calls.slice(1).map(({ id }) => id)]
      assert.strictEqual(new Set([...ids, before.transcriptNotice?.id]).size, 4)
    }, both)
  )

  it.effect("is told again when it asks for it, of that alone", () =>
    withHost(function* (principal) {
      const host = hearing()
      yield* Layer.build(host.worker)
      const job = yield* submit(principal, {})
      yield* pass(5)
      const wanted = { id: job.id, hook: "transcribed" } as const
      const again = yield* using((jobs) => jobs.renotify(principal, wanted))
      assert.strictEqual(again.transcript_notice_status, "PENDING")
      assert.strictEqual(again.notice_status, "TOLD")
      yield* pass(5)
      assert.deepStrictEqual(hooksOf(host.calls), ["transcribed", "finished", "transcribed"])
      assert.notStrictEqual(host.calls[0]?.id, host.calls[2]?.id)
    }, both)
  )

  it.effect("is told of nothing else when it wants nothing else", () =>
    withHost(
      function* (principal) {
        const host = hearing()
        yield* Layer.build(host.worker)
        const job = yield* submit(principal, callback)
        yield* pass(10)
        assert.deepStrictEqual(hooksOf(host.calls), ["transcribed"])
        assert.isUndefined((yield* look(principal, job)).notice_status)
      },
      ["transcribed"]
    )
  )
})

describe("A host that is away", () => {
  it.effect("holds up a webhook for some seconds, and is told when it comes back", () =>
    withHost(function* (principal) {
      yield* Layer.build(hearing(only("finished"), { hooks: ["finished"] }).worker)
      const job = yield* submit(principal, { ...callback, summary: "brief" })
      yield* pass(9)
      assert.lengthOf(yield* webhooks, 0)
      yield* pass(25)
      assert.lengthOf(yield* webhooks, 1)
      yield* using((jobs) => jobs.redeliver(principal, job.id))
      yield* pass(5)
      assert.lengthOf(yield* webhooks, 2)
      const { notice, transcriptNotice } = yield* stored(principal, job)
      assert.deepStrictEqual([notice?._tag, transcriptNotice?._tag], ["Waiting", "Waiting"])
      const told = yield* toldOf(principal, job)
      assert.lengthOf(
        told.filter((each) => each === "notice transcribed stood_back"),
        1
      )
      const host = hearing()
      yield* Layer.build(host.worker)
      yield* pass(5)
      assert.strictEqual(host.calls[0]?.hook, "transcribed")
    }, both)
  )

  it.effect("leaves its notice, however long nothing else is owed", () =>
    withHost(function* (principal) {
      yield* Layer.build(Layer.fresh(worker))
      const job = yield* submit(principal, {})
      yield* pass(60)
      assert.deepStrictEqual(yield* toldOf(principal, job), [])
    }, both)
  )

  it.effect("does not count while it is there: processes without the hook wait for it", () =>
    withHost(function* (principal) {
      const host = hearing()
      yield* Layer.build(Layer.fresh(worker))
      yield* Layer.build(Layer.fresh(worker))
      yield* Layer.build(host.worker)
      const jobs = yield* Effect.forEach(Array.from({ length: 30 }), () =>
        Effect.andThen(pass(1), submit(principal, callback))
      )
      yield* pass(10)
      for (const job of jobs) {
        assert.strictEqual((yield* toldOf(principal, job))[0], "notice transcribed attempt_started")
      }
    }, both)
  )
})

describe("A host that is busy", () => {
  it.effect("holds up the webhooks of others for some seconds only", () =>
    withHost(function* (principal) {
      const one = workerOf({ Fetch: 1, Transcribe: 1, Summarize: 1, Deliver: 1, Announce: 1 })
      const host = hearing(only("transcribed", Effect.never), { working: one })
      yield* Layer.build(host.worker)
      for (const _ of [1, 2, 3]) yield* submit(principal, callback)
      yield* pass(29)
      // Nobody but the first is waited for, which is being called.
      assert.lengthOf(hooksOf(host.calls), 1)
      assert.lengthOf(yield* webhooks, 2)
    }, both)
  )
})
