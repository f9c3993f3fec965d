/**
 * Contract cases for `JobStore` about fencing: every commit is checked against the revision and the
 * lease, and a refused commit writes nothing.
 */

import { pendingWork } from "@verbatim/core/job"
import { JobStore, leaseDuration, type WorkQueue, WorkspaceStore } from "@verbatim/core/ports"
import { DateTime, Duration, Effect, Option, Result } from "effect"
import {
  attemptStarted,
  balances,
  type Change,
  claimIds,
  claimJobs,
  commitJob,
  commitOf,
  credit,
  deliveryStarted,
  foundingMillis,
  fullLanes,
  insertJob,
  instant,
  jobId,
  later,
  leaseToken,
  makeFullJob,
  makePendingJob,
  makeUploadJob,
  onSummary,
  readWholeJob,
  retryScheduled,
  storeTime,
  transcript,
  transcriptProduced,
  upTo,
  withWorkspace
} from "../../../samples/index.ts"
import { advance, atOnce, type Cases, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const [first, second] = [leaseToken(1), leaseToken(2)]

/** Inserts a job, and starts its first attempt under the first token. */
const runningJob = withWorkspace(function* () {
  const job = yield* insertJob(makeUploadJob(1))
  yield* claimIds(first)
  return yield* commitJob(job, { events: [attemptStarted()], token: first, isLeaseKept: true })
})

/** Everything that a commit can write. */
const everything: Change = { events: [transcriptProduced()], transcript, chargeMillis: 61_234 }

/** Fails unless a commit is refused and the job, history, transcript and ledger are unchanged. */
const expectRefused = Effect.fnUntraced(function* (commit: ReturnType<typeof commitOf>) {
  const store = yield* JobStore
  const before = yield* readWholeJob(commit.next.id)
  yield* Expect.refuses(store.commit(commit), "Superseded")
  yield* readWholeJob(commit.next.id).pipe(Expect.gives("nothing was written", before))
})

/** Cases about refused commits. */
export const fencingCases: Cases<JobStore | WorkQueue | WorkspaceStore> = workspaceCases(JobStore, {
  *"refuses a commit based on an outdated revision, and writes nothing"() {
    const job = yield* insertJob(makeUploadJob(1))
    const next = yield* commitJob(job, { events: [attemptStarted()] })
    yield* expectRefused(commitOf(job, { events: [attemptStarted()] }))
    yield* expectRefused(commitOf({ ...next, revision: job.revision }, everything))
    yield* expectRefused(commitOf({ ...next, revision: next.revision + 1 }, everything))
    yield* claimIds(first).pipe(Expect.gives("the work is still there", [jobId(1)]))
    const unknown = { events: [attemptStarted()], chargeMillis: 1 }
    yield* expectRefused(commitOf(makeUploadJob(2), unknown))
  },
  *"gives each of many concurrent commits to one job its own answer"(store) {
    const older = yield* runningJob
    yield* advance(leaseDuration)
    yield* claimIds(second)
    const job = yield* commitJob(older, {
      events: [retryScheduled(instant), attemptStarted()],
      token: second,
      isLeaseKept: true
    })
    const before = yield* readWholeJob(job.id)
    const outcomes = yield* atOnce(
      [
        commitOf(job, { ...everything, token: first }),
        commitOf(older, { ...everything, token: second }),
        commitOf(job, { events: [retryScheduled(later(1))], token: second }),
        commitOf(job, { ...everything, token: leaseToken(3) }),
        commitOf({ ...job, revision: job.revision + 1 }, { ...everything, token: second })
      ],
      (commit) => Effect.result(store.commit(commit))
    )
    yield* Expect.that(
      "only the holder's commit succeeds",
      outcomes.map((outcome) =>
        Result.isSuccess(outcome) ? "written" : outcome.failure.reason._tag
      )
    ).is(["Superseded", "Superseded", "written", "Superseded", "Superseded"])
    const { history, job: _, ...rest } = yield* readWholeJob(job.id)
    const { history: earlier, job: __, ...same } = before
    yield* Expect.that(
      "the last entry is the holder's",
      history.slice(earlier.length).map(({ token }) => token)
    ).is([Option.some(second)])
    yield* Expect.that("there is no transcript and no charge", rest).is(same)
  },
  *"accepts the token of an expired lease if no other claim has taken the job"() {
    const job = yield* runningJob
    yield* advance(leaseDuration)
    yield* commitJob(job, { ...everything, token: first })
  }
})

/** Cases about a commit's effect on the queue. */
export const workCases: Cases<JobStore | WorkQueue | WorkspaceStore> = workspaceCases(JobStore, {
  *"writes a commit's pending work with its kind, due time and lane"() {
    const uploadedJob = makeUploadJob(1, {
      summary: makeFullJob(1).summary,
      delivery: makeFullJob(1).delivery
    })
    const running = yield* commitJob(yield* insertJob(uploadedJob), {
      events: [attemptStarted()]
    })
    const summarizing = yield* commitJob(running, { events: [transcriptProduced()] })
    yield* Expect.that(
      "the transcription's work is gone",
      yield* claimIds(first, { kinds: ["Fetch", "Transcribe", "Deliver"] })
    ).is([])
    const skipped = onSummary({
      _tag: "SummarySkipped",
      at: instant,
      reason: "transcript too short"
    })
    const delivering = yield* commitJob(summarizing, { events: [skipped] })
    const { lane } = Option.getOrThrow(pendingWork(delivering))
    yield* Expect.that(
      "the webhook is pending in the lane of its receiver",
      yield* claimIds(first, { kinds: ["Deliver"], lanes: fullLanes([lane ?? "none"]) })
    ).is([])
    yield* Expect.that(
      "the work is that of the last commit",
      yield* claimJobs(first, { kinds: ["Deliver"] })
    ).is([delivering])
  },
  *"returns the time of the clock that decides when work is due"(store) {
    const before = yield* storeTime
    const now = yield* store.now
    const after = yield* storeTime
    const isBetween = DateTime.between(now, { minimum: before, maximum: after })
    yield* Expect.holds("it is the clock of the queue", isBetween)
    yield* insertJob(makePendingJob(1, { kind: "Transcribe", dueAt: yield* store.now }))
    yield* claimIds(first).pipe(Expect.gives("work due by then is handed out", [jobId(1)]))
  },
  *"does not extend a lease when a commit keeps the lease"() {
    const job = yield* insertJob(makeUploadJob(1, { delivery: makeFullJob(1).delivery }))
    yield* claimIds(first)
    yield* advance(Duration.seconds(20))
    const kept = { token: first, isLeaseKept: true }
    const running = yield* commitJob(job, { events: [attemptStarted()], ...kept })
    const delivering = yield* commitJob(running, { events: [transcriptProduced()], ...kept })
    yield* commitJob(delivering, { events: [deliveryStarted(1)], ...kept })
    yield* advance(Duration.seconds(10))
    yield* claimIds(second).pipe(Expect.gives("it ends when it would have ended", [jobId(1)]))
  }
})

const afterCharge = (millis: number) => ({
  balance: foundingMillis - millis,
  sum: foundingMillis - millis
})

/** Cases about charges. */
export const charges: Cases<JobStore | WorkQueue | WorkspaceStore> = workspaceCases(JobStore, {
  *"books each of many concurrent charges and credits"(store) {
    const workspaces = yield* WorkspaceStore
    // The balance falls below zero.
    yield* workspaces.credit(credit(99, -foundingMillis - 1_000_000))
    const jobs = yield* Effect.forEach(upTo(24), (number) => insertJob(makeUploadJob(number)))
    const changes: ReadonlyArray<Effect.Effect<unknown, unknown>> = jobs.flatMap((job, index) => [
      store.commit(commitOf(job, { events: [attemptStarted()], chargeMillis: index + 1 })),
      workspaces.credit(credit(100 + index, 1_000))
    ])
    yield* atOnce(changes, (each) => each)
    yield* Expect.that("balance and ledger contain all", yield* balances).is(
      afterCharge(foundingMillis + 1_000_000 + (24 * 25) / 2 - 24_000)
    )
  }
})
