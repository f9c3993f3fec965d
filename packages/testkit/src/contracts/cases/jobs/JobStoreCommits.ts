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
  foundFirst,
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
  readLedger,
  readWholeJob,
  receiverAccepted,
  releaseLeases,
  renewLeases,
  retryScheduled,
  storeTime,
  transcript,
  transcriptProduced,
  upTo,
  withWorkspace
} from "../../../samples/index.ts"
import { advance, atOnce, type Cases, race, workspaceCases } from "../../Contract.ts"
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
  *"refuses a repeated commit, and shows the writer's token in the history"(store) {
    const job = yield* runningJob
    const commit = commitOf(job, { ...everything, token: first })
    yield* store.commit(commit)
    yield* expectRefused(commit)
    yield* Expect.that(
      "the entry of that revision carries the token",
      (yield* store.history(jobId(1))).find(({ revision }) => revision === commit.next.revision)
        ?.token
    ).is(commit.token)
  },
  *"refuses a token that holds no lease on the job"() {
    const job = yield* runningJob
    yield* insertJob(makeUploadJob(2))
    yield* claimIds(second)
    yield* expectRefused(commitOf(job, { ...everything, token: second }))
    yield* expectRefused(commitOf(job, { ...everything, token: leaseToken(3) }))
    yield* Expect.that(
      "the lease of the first token is unchanged",
      yield* renewLeases(first, [jobId(1)])
    ).is([jobId(1)])
  },
  *"refuses the token of a lease that was taken over, released, or ended by a commit"() {
    const job = yield* runningJob
    yield* advance(leaseDuration)
    yield* claimIds(second)
    yield* expectRefused(commitOf(job, { ...everything, token: first }))
    yield* releaseLeases(second, [jobId(1)])
    yield* expectRefused(commitOf(job, { ...everything, token: second }))
    yield* claimIds(first)
    const waiting = yield* commitJob(job, { events: [retryScheduled(instant)], token: first })
    yield* expectRefused(commitOf(waiting, { events: [attemptStarted()], token: first }))
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
  },
  *"checks only the revision of a commit without a token, and ends the lease"() {
    const job = yield* runningJob
    yield* commitJob(job, { events: [retryScheduled(instant)] })
    yield* Expect.that(
      "the worker's next renewal is refused",
      yield* renewLeases(first, [jobId(1)])
    ).is([])
    yield* claimIds(second).pipe(Expect.gives("the work is free", [jobId(1)]))
  },
  *"lets one of many concurrent commits that are based on the same revision win"(store) {
    yield* foundFirst
    const job = yield* insertJob(makeUploadJob(1))
    const { winners } = yield* race(upTo(16), (number) =>
      store.commit(commitOf(job, { events: [attemptStarted(later(number))], at: later(number) }))
    )
    const [winner = 0] = winners
    yield* Expect.that("one has won", winners.length).is(1)
    yield* Expect.that(
      "the history has the winner's commit, without gaps",
      (yield* store.history(jobId(1))).map(({ at, revision }) => [revision, at])
    ).is([
      [1, instant],
      [2, later(winner)]
    ])
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
  *"keeps the lease if a commit continues the task, and ends the lease otherwise"() {
    const job = yield* insertJob(makeFullJob(1))
    yield* claimIds(first)
    const kept = { token: first, isLeaseKept: true }
    const fetching = yield* commitJob(job, { events: [attemptStarted()], ...kept })
    yield* claimIds(second).pipe(Expect.gives("no other claim gets the work", []))
    const waiting = yield* commitJob(fetching, {
      events: [retryScheduled(instant)],
      token: first
    })
    yield* claimJobs(second).pipe(Expect.gives("now another claim gets it", [waiting]))
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
  *"charges a job once, even if several commits contain a charge"() {
    const workspaces = yield* WorkspaceStore
    const job = yield* insertJob(makeUploadJob(1, { delivery: makeFullJob(1).delivery }))
    const running = yield* commitJob(job, { events: [attemptStarted()] })
    const transcribed = yield* commitJob(running, {
      events: [transcriptProduced()],
      chargeMillis: 61_234
    })
    const expected = afterCharge(61_234)
    yield* Expect.that("it is charged", yield* balances).is(expected)
    const attempt = yield* commitJob(transcribed, {
      events: [deliveryStarted(1)],
      chargeMillis: 61_234
    })
    yield* commitJob(attempt, { events: [receiverAccepted()], chargeMillis: 9 })
    yield* Expect.that("it is not charged again", yield* balances).is(expected)
    yield* Expect.that(
      "the ledger has a line for it",
      (yield* readLedger(workspaces, job.workspaceId)).map(({ millis }) => millis)
    ).is([foundingMillis, -61_234])
  },
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
  },
  *"books no charge for a refused commit or for a commit without a charge"(store) {
    const job = yield* insertJob(makeUploadJob(1))
    yield* commitJob(job, { events: [attemptStarted()] })
    const late = commitOf(job, { events: [attemptStarted()], chargeMillis: 61_234 })
    yield* Expect.refuses(store.commit(late), "Superseded")
    yield* balances.pipe(Expect.gives("the balance is unchanged", afterCharge(0)))
  }
})
