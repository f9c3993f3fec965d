/**
 * The promises of a `JobStore` about who may write: the revision and the lease fence every commit,
 * and a refused one writes nothing at all.
 */

import { JobStore, leaseDuration, type WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import { Effect, Option, Result } from "effect"
import { jobId, leaseToken, upTo } from "../../../samples/Ids.ts"
import { attemptStarted, retryScheduled, transcriptProduced } from "../../../samples/SampleEvent.ts"
import { type Change, commitOf, makeUploadJob } from "../../../samples/SampleJob.ts"
import { transcript } from "../../../samples/SampleTranscript.ts"
import { foundFirst, instant, later, withWorkspace } from "../../../samples/SampleWorkspace.ts"
import {
  claimIds,
  commitJob,
  givenBack,
  insertJob,
  renewedIds,
  storedWhole
} from "../../../samples/Stored.ts"
import { advance, atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const [first, second] = [leaseToken(1), leaseToken(2)]

/** A job whose first attempt is under way under the first token. */
const runningJob = withWorkspace(function* () {
  const job = yield* insertJob(makeUploadJob(1))
  yield* claimIds(first)
  return yield* commitJob(job, { events: [attemptStarted()], token: first, isLeaseKept: true })
})

/** Everything that a commit can write. */
const everything: Change = { events: [transcriptProduced()], transcript, chargeMillis: 61_234 }

/** Demands that a commit is refused and leaves job, history, transcript and money as they were. */
const expectRefused = Effect.fnUntraced(function* (commit: ReturnType<typeof commitOf>) {
  const store = yield* JobStore
  const before = yield* storedWhole(commit.next.id)
  yield* Expect.refuses(store.commit(commit), "Superseded")
  yield* storedWhole(commit.next.id).pipe(Expect.gives("nothing was written", before))
})

/** Who is refused. */
export const fencingCases: ReadonlyArray<Case<JobStore | WorkQueue | WorkspaceStore>> =
  workspaceCases(JobStore, {
    *"refuses a commit decided on an older revision, and writes nothing"() {
      const job = yield* insertJob(makeUploadJob(1))
      const next = yield* commitJob(job, { events: [attemptStarted()] })
      yield* expectRefused(commitOf(job, { events: [attemptStarted()] }))
      yield* expectRefused(commitOf({ ...next, revision: job.revision }, everything))
      yield* claimIds(first).pipe(Expect.gives("the work is still there", [jobId(1)]))
    },
    *"refuses a commit decided on a revision that is not there yet"() {
      const job = yield* runningJob
      yield* expectRefused(commitOf({ ...job, revision: job.revision + 1 }, everything))
    },
    *"refuses a commit of an unknown job"() {
      yield* expectRefused(
        commitOf(makeUploadJob(1), { events: [attemptStarted()], chargeMillis: 1 })
      )
    },
    *"refuses the repeat of a commit, and tells by the history whose it was"(store) {
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
        "the lease of the first token is untouched",
        yield* renewedIds(first, [jobId(1)])
      ).is([jobId(1)])
    },
    *"refuses a token when nobody has claimed the work"() {
      const job = yield* insertJob(makeUploadJob(1))
      yield* expectRefused(commitOf(job, { events: [attemptStarted()], token: first }))
    },
    *"refuses the token of a lease that another claim took"() {
      const job = yield* runningJob
      yield* advance(leaseDuration)
      yield* claimIds(second)
      yield* expectRefused(commitOf(job, { ...everything, token: first }))
      yield* commitJob(job, { ...everything, token: second })
    },
    *"answers each of many commits of one job at once for itself"(store) {
      const older = yield* runningJob
      yield* advance(leaseDuration)
      yield* claimIds(second)
      const job = yield* commitJob(older, {
        events: [retryScheduled(instant), attemptStarted()],
        token: second,
        isLeaseKept: true
      })
      const before = yield* storedWhole(job.id)
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
        "the holder's is written, and nobody else is told that theirs is",
        outcomes.map((outcome) =>
          Result.isSuccess(outcome) ? "written" : outcome.failure.reason._tag
        )
      ).is(["Superseded", "Superseded", "written", "Superseded", "Superseded"])
      const { history, job: _, ...rest } = yield* storedWhole(job.id)
      const { history: earlier, job: __, ...same } = before
      yield* Expect.that(
        "the last entry is the holder's",
        history.slice(earlier.length).map(({ token }) => token)
      ).is([Option.some(second)])
      yield* Expect.that("there is no transcript and no charge", rest).is(same)
    },
    *"accepts the token of a lapsed lease that nobody took"() {
      const job = yield* runningJob
      yield* advance(leaseDuration)
      yield* commitJob(job, { ...everything, token: first })
    },
    *"refuses the token of a lease that was given back"() {
      const job = yield* runningJob
      yield* givenBack(first, [jobId(1)])
      yield* expectRefused(commitOf(job, { ...everything, token: first }))
    },
    *"refuses the token of a lease that a commit ended"() {
      const job = yield* runningJob
      const waiting = yield* commitJob(job, { events: [retryScheduled(instant)], token: first })
      yield* expectRefused(commitOf(waiting, { events: [attemptStarted()], token: first }))
    },
    *"fences by the revision alone when no token is given, and ends the lease"() {
      const job = yield* runningJob
      yield* commitJob(job, { events: [retryScheduled(instant)] })
      yield* Expect.that(
        "the worker is told by its next renewal",
        yield* renewedIds(first, [jobId(1)])
      ).is([])
      yield* claimIds(second).pipe(Expect.gives("the work is free", [jobId(1)]))
    },
    *"lets one of many commits on one revision win"(store) {
      yield* foundFirst
      const job = yield* insertJob(makeUploadJob(1))
      const commit = (number: number) =>
        Effect.result(
          store.commit(
            commitOf(job, { events: [attemptStarted(later(number))], at: later(number) })
          )
        )
      const outcomes = yield* atOnce(upTo(16), commit)
      const winner = outcomes.findIndex(Result.isSuccess) + 1
      yield* Expect.that("one has won", outcomes.filter(Result.isSuccess).length).is(1)
      yield* Expect.that(
        "the history is the winner's, without gaps",
        (yield* store.history(jobId(1))).map(({ at, revision }) => [revision, at])
      ).is([
        [1, instant],
        [2, later(winner)]
      ])
    }
  })
