/** Tests which notices a job's state machine allows. */
import { assert, describe, it } from "@effect/vitest"
import { instant, makeNoticedJob, makePendingJob, makeUploadJob } from "@verbatim/testkit/samples"
import { DateTime, Option, Result, Schema } from "effect"
import { Failure } from "#src/domain/attempt/Failure"
import * as Delivery from "#src/domain/delivery/Delivery"
import {
  attemptUnderway,
  beginEvents,
  failureEvents,
  releaseEvents
} from "#src/domain/job/AttemptEvents"
import { applyCommit, applyEvent, isTerminal, Job, pendingWork } from "#src/domain/job/Job"
import type { JobEvent } from "#src/domain/job/JobEvent"
import { webhookBody } from "#src/domain/job/JobView"
import * as Summary from "#src/domain/summary/Summary"
import * as Transcription from "#src/domain/transcription/Transcription"

const frozen = { balanceMillis: 0 }
const isNoticePending = (job: Job) =>
  Option.exists(pendingWork(job), ({ kind }) => kind === "Notify")
const commit = (job: Job, events: ReadonlyArray<JobEvent>) =>
  Result.getOrThrow(applyCommit(job, events))

const begun = (job: Job, at: DateTime.Utc) => commit(job, beginEvents(job, { at, frozen }))

/** How an attempt ends, and how many seconds after its start. */
const Ending = Schema.Struct({
  way: Schema.Literals(["stopped", "lost", "failed"]),
  failure: Failure,
  seconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 }))
})

describe("A notice", () => {
  it.prop(
    "has at most three attempts, not counting those that end in an outage",
    [Schema.Array(Ending).check(Schema.isMinLength(6), Schema.isMaxLength(12))],
    ([endings]) => {
      let job = makePendingJob(1, { kind: "Notify", dueAt: instant })
      let at = instant
      const calls: Array<{ readonly begun: number; readonly ended: number }> = []
      for (const { failure, seconds, way } of endings) {
        if (isTerminal(job)) break
        at = DateTime.max(at, Option.getOrThrow(pendingWork(job)).dueAt)
        job = begun(job, at)
        const attempt = attemptUnderway(job)
        assert.isDefined(attempt)
        if (attempt === undefined) return
        const start = at.epochMilliseconds
        at = DateTime.add(at, { seconds })
        const lost = Failure.cases.WorkerLost.make({})
        const events =
          way === "stopped"
            ? releaseEvents(job, { at, attempt })
            : failureEvents(job, { at, attempt, failure: way === "lost" ? lost : failure })
        assert.notStrictEqual(Option.getOrThrow(pendingWork(job)).kind, "Isolate")
        const isPostponed = events.some(({ event }) => event._tag === "AttemptPostponed")
        if (!isPostponed) calls.push({ begun: start, ended: at.epochMilliseconds })
        job = commit(job, events)
      }
      assert.isAtMost(calls.length, 3)
      if (calls.length === 3) assert.isTrue(isTerminal(job))
    }
  )

  it.prop("becomes pending only when all other work for its job has ended", [Job], ([job]) => {
    const { delivery, notice, summary, transcription } = job
    const isRestOver =
      Transcription.isTerminal(transcription) &&
      (summary === null || Summary.isTerminal(summary)) &&
      (delivery === null || Delivery.isTerminal(delivery))
    const isOpen = notice?._tag === "Waiting" || notice?._tag === "Calling"
    if (notice?._tag === "Calling" && !isRestOver) return
    const { kind } = Option.getOrElse(pendingWork(job), () => ({ kind: "nothing" }))
    assert.strictEqual(kind === "Notify", isRestOver && isOpen && kind !== "Isolate")
  })

  it("blocks neither a redelivery nor a retry", () => {
    const { delivery } = makePendingJob(1, { kind: "Deliver", dueAt: instant })
    assert.isNotNull(delivery)
    if (delivery === null) return
    const ended = Delivery.State.cases.Delivered.make({
      id: delivery.id,
      receiver: delivery.receiver,
      attempt: 1,
      status: 204,
      endedAt: instant
    })
    const waiting = { ...makePendingJob(1, { kind: "Notify", dueAt: instant }), delivery: ended }
    assert.isTrue(isNoticePending(waiting))
    const requested: JobEvent = {
      _tag: "Redelivery",
      event: { _tag: "RedeliveryRequested", at: instant, id: delivery.id }
    }
    const again = Result.getOrThrow(applyEvent(waiting, requested))
    assert.isTrue(Option.exists(pendingWork(again), ({ kind }) => kind === "Deliver"))
    // While the listener is running, a redelivery is refused.
    assert.isTrue(Result.isFailure(applyEvent(begun(waiting, instant), requested)))
  })

  it("is hidden from webhook receivers", () => {
    const { delivery, transcription } = makePendingJob(1, { kind: "Deliver", dueAt: instant })
    const plain = makeUploadJob(1, { transcription, delivery })
    const receiver = { url: "https://hooks.example.com", modifier: null }
    const bodyOf = (job: Job) =>
      webhookBody({ job, receiver, frozen, transcript: Option.none() }).body
    assert.strictEqual(bodyOf(makeNoticedJob(1, { transcription, delivery })), bodyOf(plain))
  })
})
