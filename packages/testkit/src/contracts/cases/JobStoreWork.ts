/**
 * The promises of a `JobStore` about owed work: it is written by the commit that owes it, so that
 * nothing can be lost between store and queue.
 */
import { owed } from "@verbatim/core/domain/job/Job"
import { JobStore } from "@verbatim/core/ports/JobStore"
import type { WorkQueue } from "@verbatim/core/ports/WorkQueue"
import type { WorkspaceStore } from "@verbatim/core/ports/WorkspaceStore"
import { DateTime, Duration, Effect, Option } from "effect"
import { jobId, leaseToken } from "../../samples/Ids.ts"
import { onSummary, produced, retried, sending, started } from "../../samples/SampleEvent.ts"
import { commitOf, demanding, owing, uploaded } from "../../samples/SampleJob.ts"
import { founded, instant } from "../../samples/SampleWorkspace.ts"
import { claimed, claimedIds, committed, full, inserted, storeTime } from "../../samples/Stored.ts"
import { advance, type Case } from "../Contract.ts"
import * as Expect from "../Expect.ts"

const [first, second] = [leaseToken(1), leaseToken(2)]

/** What the queue sees of a commit. */
export const owedWork: ReadonlyArray<Case<JobStore | WorkQueue | WorkspaceStore>> = [
  {
    title: "writes the work that a commit owes, with its kind, instant and lane",
    effect: Effect.gen(function* () {
      yield* founded
      const uploadedJob = uploaded(1, {
        summary: demanding(1).summary,
        delivery: demanding(1).delivery
      })
      const running = yield* committed(yield* inserted(uploadedJob), { events: [started()] })
      const summarizing = yield* committed(running, { events: [produced()] })
      yield* Expect.that("the transcription's work is gone", {
        actual: yield* claimedIds(first, { kinds: ["Fetch", "Transcribe", "Deliver"] }),
        expected: []
      })
      const skipped = onSummary({
        _tag: "SummarySkipped",
        at: instant,
        reason: "transcript too short"
      })
      const delivering = yield* committed(summarizing, { events: [skipped] })
      const { lane } = Option.getOrThrow(owed(delivering))
      yield* Expect.that("the webhook is owed in the lane of its receiver", {
        actual: yield* claimedIds(first, { kinds: ["Deliver"], lanes: full([lane ?? "none"]) }),
        expected: []
      })
      yield* Expect.that("the work is that of the last commit", {
        actual: yield* claimed(first, { kinds: ["Deliver"] }),
        expected: [delivering]
      })
    })
  },
  {
    title: "tells the time by which work is due",
    effect: Effect.gen(function* () {
      yield* founded
      const store = yield* JobStore
      const before = yield* storeTime
      const now = yield* store.now
      const after = yield* storeTime
      const isBetween = DateTime.between(now, { minimum: before, maximum: after })
      yield* Expect.holds("it is that of the queue", isBetween)
      yield* inserted(owing(1, { kind: "Transcribe", dueAt: yield* store.now }))
      yield* Expect.that("what is due then is given out", {
        actual: yield* claimedIds(first),
        expected: [jobId(1)]
      })
    })
  },
  {
    title: "writes a later instant, before which nobody is given the work",
    effect: Effect.gen(function* () {
      yield* founded
      const dueAt = DateTime.add(yield* storeTime, { seconds: 60 })
      const running = yield* committed(yield* inserted(uploaded(1)), { events: [started()] })
      yield* committed(running, { events: [retried(dueAt)] })
      yield* advance(Duration.seconds(59))
      yield* Expect.that("it is not due yet", { actual: yield* claimedIds(first), expected: [] })
      yield* advance(Duration.seconds(1))
      yield* Expect.that("it is due", { actual: yield* claimedIds(first), expected: [jobId(1)] })
    })
  },
  {
    title: "deletes the work when nothing is owed any more",
    effect: Effect.gen(function* () {
      yield* founded
      const running = yield* committed(yield* inserted(uploaded(1)), { events: [started()] })
      yield* committed(running, { events: [produced()] })
      yield* advance(Duration.hours(1))
      yield* Expect.that("nothing is claimed", { actual: yield* claimedIds(first), expected: [] })
    })
  },
  {
    title: "writes the work anew when a commit owes it again",
    effect: Effect.gen(function* () {
      yield* founded
      const job = yield* inserted(uploaded(1))
      const store = yield* JobStore
      const idle = { ...commitOf(job, { events: [started()] }), work: Option.none() }
      yield* store.commit(idle)
      yield* Expect.that("nothing is owed", { actual: yield* claimedIds(first), expected: [] })
      yield* committed(idle.next, { events: [retried(instant)] })
      yield* Expect.that("it is owed again", {
        actual: yield* claimedIds(first),
        expected: [jobId(1)]
      })
    })
  },
  {
    title: "leaves the work as it was when a commit is refused",
    effect: Effect.gen(function* () {
      yield* founded
      const store = yield* JobStore
      const job = yield* inserted(uploaded(1))
      const running = yield* committed(job, { events: [started()] })
      const late = { ...commitOf(running, { events: [produced()] }), token: Option.some(second) }
      yield* Expect.refuses(store.commit(late), "Superseded")
      yield* Expect.that("the work is there", {
        actual: yield* claimed(first),
        expected: [running]
      })
    })
  },
  {
    title: "keeps the lease over a commit that goes on, and ends it otherwise",
    effect: Effect.gen(function* () {
      yield* founded
      const job = yield* inserted(demanding(1))
      yield* claimedIds(first)
      const kept = { token: first, isLeaseKept: true }
      const fetching = yield* committed(job, { events: [started()], ...kept })
      yield* Expect.that("nobody else is given the work", {
        actual: yield* claimedIds(second),
        expected: []
      })
      const waiting = yield* committed(fetching, { events: [retried(instant)], token: first })
      yield* Expect.that("now somebody else is", {
        actual: yield* claimed(second),
        expected: [waiting]
      })
    })
  },
  {
    title: "does not lengthen a lease by a commit that keeps it",
    effect: Effect.gen(function* () {
      yield* founded
      const job = yield* inserted(uploaded(1, { delivery: demanding(1).delivery }))
      yield* claimedIds(first)
      yield* advance(Duration.seconds(20))
      const kept = { token: first, isLeaseKept: true }
      const running = yield* committed(job, { events: [started()], ...kept })
      const delivering = yield* committed(running, { events: [produced()], ...kept })
      yield* committed(delivering, { events: [sending(1)], ...kept })
      yield* advance(Duration.seconds(10))
      yield* Expect.that("it ends when it would have ended", {
        actual: yield* claimedIds(second),
        expected: [jobId(1)]
      })
    })
  }
]
