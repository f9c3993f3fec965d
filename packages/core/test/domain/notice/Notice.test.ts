/** What a host may rely on, as far as the state of a job decides it. */
import { assert, describe, it } from "@effect/vitest"
import {
  attemptStarted,
  instant,
  makeAnnouncedJob,
  makeFinishedJob,
  makeOwingJob,
  makeUploadJob,
  noticeId,
  onNotice
} from "@verbatim/testkit/samples"
import { DateTime, Option, Result, Schema } from "effect"
import { Failure } from "#src/domain/attempt/Failure"
import * as Delivery from "#src/domain/delivery/Delivery"
import {
  attemptUnderway,
  beginEvents,
  failureEvents,
  releaseEvents,
  transcriptEvents
} from "#src/domain/job/AttemptEvents"
import { applyCommit, applyEvent, isTerminal, Job, owedWork } from "#src/domain/job/Job"
import type { JobEvent } from "#src/domain/job/JobEvent"
import { webhookBody } from "#src/domain/job/JobView"
import { isPassedOver } from "#src/domain/job/Notices"
import { Hook } from "#src/domain/notice/Hook"
import * as Notice from "#src/domain/notice/Notice"
import * as Summary from "#src/domain/summary/Summary"
import * as Transcription from "#src/domain/transcription/Transcription"

const frozen = { balanceMillis: 0 }
const isOwed = (job: Job) => Option.exists(owedWork(job), ({ kind }) => kind === "Notify")
const commit = (job: Job, events: ReadonlyArray<JobEvent>) =>
  Result.getOrThrow(applyCommit(job, events))

const begun = (job: Job, at: DateTime.Utc) => commit(job, beginEvents(job, { at, frozen }))

/** Each attempt ends in one of these ways, seconds after it began. */
const Ending = Schema.Struct({
  way: Schema.Literals(["stopped", "lost", "failed"]),
  failure: Failure,
  seconds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 }))
})

describe("A notice", () => {
  it.prop(
    "is begun at most three times, whatever its attempts end with, unless nobody was called",
    [Schema.Array(Ending).check(Schema.isMinLength(6), Schema.isMaxLength(12))],
    ([endings]) => {
      let job = makeOwingJob(1, { kind: "Notify", dueAt: instant })
      let at = instant
      const calls: Array<{ readonly begun: number; readonly ended: number }> = []
      for (const { failure, seconds, way } of endings) {
        if (isTerminal(job)) break
        at = DateTime.max(at, Option.getOrThrow(owedWork(job)).dueAt)
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
        assert.notStrictEqual(Option.getOrThrow(owedWork(job)).kind, "Isolate")
        const isPostponed = events.some(({ event }) => event._tag === "AttemptPostponed")
        if (!isPostponed) calls.push({ begun: start, ended: at.epochMilliseconds })
        job = commit(job, events)
      }
      assert.isAtMost(calls.length, 3)
      if (calls.length === 3) assert.isTrue(isTerminal(job))
    }
  )

  it.prop("is owed when everything else has ended, and not before", [Job], ([job]) => {
    const { delivery, notice, summary, transcription, transcriptNotice } = job
    const isAnnouncing =
      transcription._tag === "Transcribed" &&
      (transcriptNotice?._tag === "Waiting" || transcriptNotice?._tag === "Calling")
    const isRestOver =
      Transcription.isTerminal(transcription) &&
      !isAnnouncing &&
      (summary === null || Summary.isTerminal(summary)) &&
      (delivery === null || Delivery.isTerminal(delivery))
    const isOpen = notice?._tag === "Waiting" || notice?._tag === "Calling"
    if (notice?._tag === "Calling" && !isRestOver) return
    const { kind } = Option.getOrElse(owedWork(job), () => ({ kind: "nothing" }))
    assert.strictEqual(kind === "Notify", isRestOver && isOpen && kind !== "Isolate")
  })

  it("holds up neither a webhook that is wanted again nor another run", () => {
    const { delivery } = makeOwingJob(1, { kind: "Deliver", dueAt: instant })
    assert.isNotNull(delivery)
    if (delivery === null) return
    const ended = Delivery.State.cases.Delivered.make({
      id: delivery.id,
      receiver: delivery.receiver,
      attempt: 1,
      status: 204,
      endedAt: instant
    })
    const waiting = { ...makeOwingJob(1, { kind: "Notify", dueAt: instant }), delivery: ended }
    assert.isTrue(isOwed(waiting))
    const wish: JobEvent = {
      _tag: "Redelivery",
      event: { _tag: "RedeliveryRequested", at: instant, id: delivery.id }
    }
    const again = Result.getOrThrow(applyEvent(waiting, wish))
    assert.isTrue(Option.exists(owedWork(again), ({ kind }) => kind === "Deliver"))
    // Whoever is being called now is called for a job that stays as it is.
    assert.isTrue(Result.isFailure(applyEvent(begun(waiting, instant), wish)))
  })

  it("is no business of a receiver", () => {
    const { delivery, transcription } = makeOwingJob(1, { kind: "Deliver", dueAt: instant })
    const plain = makeUploadJob(1, { transcription, delivery })
    const receiver = { url: "https://hooks.example.com", modifier: null }
    const bodyOf = (job: Job) =>
      webhookBody({ job, receiver, frozen, transcript: Option.none() }).body
    const { notice, transcriptNotice } = makeAnnouncedJob(1)
    assert(notice !== undefined && transcriptNotice !== undefined)
    assert.strictEqual(bodyOf({ ...plain, notice, transcriptNotice }), bodyOf(plain))
  })

  it("of a transcript stands back ten seconds after it could be given, and not before", () => {
    const { transcription } = makeFinishedJob(1)
    const job: Job = { ...makeAnnouncedJob(1), transcription }
    assert.strictEqual(transcription._tag === "Transcribed" && transcription.endedAt, instant)
    const after = (millis: number) => DateTime.add(instant, { milliseconds: millis })
    assert.isFalse(isPassedOver(job, after(9_999)))
    assert.isTrue(isPassedOver(job, after(10_000)))
    const failed = Notice.State.cases.Waiting.make({
      id: noticeId(1),
      attempts: 1,
      dueAt: after(60_000)
    })
    assert.isFalse(isPassedOver({ ...job, transcriptNotice: failed }, after(69_999)))
    assert.isTrue(isPassedOver({ ...job, transcriptNotice: failed }, after(70_000)))
  })

  it("of a transcript does not keep a summary that cannot be made from ending with it", () => {
    const queued = makeUploadJob(1).transcription
    const running = commit({ ...makeAnnouncedJob(1), transcription: queued }, [attemptStarted()])
    const produced = { durationMillis: 1_000, language: "en", isEmpty: true, engine: "sample" }
    const next = commit(running, transcriptEvents(running, { at: instant, ...produced }))
    assert.strictEqual(next.summary?._tag, "Skipped")
    assert.isTrue(Option.exists(owedWork(next), ({ kind }) => kind === "AnnounceFirst"))
  })

  it("moves by events of its own hook alone", () => {
    const begin = (hook: Hook) => onNotice({ _tag: "AttemptStarted", at: instant }, hook)
    const canBegin = (job: Job, hook: Hook) => Result.isSuccess(applyEvent(job, begin(hook)))
    const { transcription } = makeFinishedJob(1)
    const first: Job = { ...makeAnnouncedJob(1), transcription }
    assert.deepStrictEqual(
      Hook.literals.map((hook) => canBegin(first, hook)),
      [true, false]
    )
    const told = commit(first, [
      begin("transcribed"),
      onNotice({ _tag: "ListenerReturned", at: instant }, "transcribed")
    ])
    const last: Job = { ...told, summary: null, delivery: null }
    assert.deepStrictEqual(
      Hook.literals.map((hook) => canBegin(last, hook)),
      [false, true]
    )
  })
})
