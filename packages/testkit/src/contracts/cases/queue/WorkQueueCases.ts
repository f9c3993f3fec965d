/**
 * The promises of a `WorkQueue` about claims: what is given out, when, and in which order.
 */
import { type JobStore, WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import { DateTime, Duration, Effect } from "effect"
import { jobId, leaseToken, upTo } from "../../../samples/Ids.ts"
import { makeFinishedJob, makeOwingJob, makeUploadJob } from "../../../samples/SampleJob.ts"
import { withWorkspace } from "../../../samples/SampleWorkspace.ts"
import { claimIds, claimJobs, insertJob, storeTime } from "../../../samples/Stored.ts"
import { advance, atOnce, type Case, type Contract, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { lanes } from "./WorkQueueLanes.ts"
import { leases } from "./WorkQueueLeases.ts"
import { owedWork } from "./WorkQueueOwed.ts"
import { turns } from "./WorkQueueTurns.ts"

type Ports = WorkQueue | JobStore | WorkspaceStore

const [first, second] = [leaseToken(1), leaseToken(2)]

const makeWaitingJob = (number: number, dueAt: DateTime.Utc) =>
  makeOwingJob(number, { kind: "Transcribe", dueAt })

/** A job that is due after a while is given out then; it is not, that much before. */
const givenOutWhenDue = (after: Duration.Duration, before: Duration.Duration) =>
  withWorkspace(function* () {
    yield* insertJob(makeWaitingJob(1, DateTime.addDuration(yield* storeTime, after)))
    yield* advance(Duration.subtract(after, before))
    yield* claimIds(first).pipe(Expect.gives("before that instant it is not due", []))
    yield* advance(before)
    yield* claimIds(second).pipe(Expect.gives("at that instant it is due", [jobId(1)]))
  })

const claims: ReadonlyArray<Case<Ports>> = workspaceCases(WorkQueue, {
  *"gives out due work with the job as it is stored"() {
    const job = yield* insertJob(makeUploadJob(1))
    yield* claimJobs(first).pipe(Expect.gives("the job is there", [job]))
  },
  "gives out work when it is due and not before": givenOutWhenDue(
    Duration.seconds(60),
    Duration.seconds(10)
  ),
  "gives out work at its very instant": givenOutWhenDue(Duration.seconds(10), Duration.millis(1)),
  *"tells its own time, which passes"() {
    const before = yield* storeTime
    yield* advance(Duration.seconds(10))
    yield* Expect.holds(
      "ten seconds have passed",
      DateTime.isGreaterThanOrEqualTo(yield* storeTime, DateTime.add(before, { seconds: 10 }))
    )
  },
  *"gives out the earliest due first"() {
    const now = yield* storeTime
    // Seconds ago, so that neither the order of ids nor that of insertion is right.
    const ages = [30, 5, 90, 60, 1, 2_000_000]
    yield* Effect.forEach(ages, (seconds, index) =>
      insertJob(makeWaitingJob(index + 1, DateTime.subtract(now, { seconds })))
    )
    yield* Expect.that("the order is that of the instants", yield* claimIds(first)).is(
      [6, 3, 4, 1, 2, 5].map(jobId)
    )
  },
  *"gives out work of one instant in the order of the job ids"() {
    yield* Effect.forEach([3, 1, 12, 2, 11], (number) => insertJob(makeUploadJob(number)))
    yield* Expect.that("the order is that of the ids", yield* claimIds(first)).is(
      [1, 2, 3, 11, 12].map(jobId)
    )
  },
  *"gives out no more than the limit, the earliest of all"() {
    const now = yield* storeTime
    yield* Effect.forEach(upTo(20), (number) =>
      insertJob(makeWaitingJob(number, DateTime.subtract(now, { seconds: number })))
    )
    yield* claimIds(first, { limit: 0 }).pipe(Expect.gives("a limit of 0 gives nothing", []))
    yield* Expect.that(
      "a limit of 3 gives the three that have waited longest",
      yield* claimIds(first, { limit: 3 })
    ).is([20, 19, 18].map(jobId))
    yield* Expect.that(
      "the next claim goes on from there",
      yield* claimIds(second, { limit: 2 })
    ).is([17, 16].map(jobId))
  },
  *"gives out only the kinds named"() {
    const dueAt = yield* storeTime
    const kinds = ["Fetch", "Transcribe", "Summarize", "Deliver"] as const
    yield* Effect.forEach(kinds, (kind, index) =>
      insertJob(makeOwingJob(index + 1, { kind, dueAt }))
    )
    yield* claimIds(first, { kinds: [] }).pipe(Expect.gives("no kind gives nothing", []))
    yield* Expect.that(
      "two kinds give two jobs",
      yield* claimIds(first, { kinds: ["Deliver", "Transcribe"] })
    ).is([2, 4].map(jobId))
    yield* Expect.that("each kind gives its own", [
      yield* claimIds(second, { kinds: ["Summarize"] }),
      yield* claimIds(second, { kinds: ["Fetch"] })
    ]).is([[jobId(3)], [jobId(1)]])
  },
  *"gives out nothing for a job that owes nothing"() {
    yield* insertJob(makeFinishedJob(1))
    yield* claimIds(first).pipe(Expect.gives("there is nothing", []))
  },
  *"gives no work to two of many claims at once"() {
    yield* Effect.forEach(upTo(60), (number) => insertJob(makeUploadJob(number)))
    const claims = yield* atOnce(upTo(16), (number) => claimIds(leaseToken(number), { limit: 5 }))
    yield* Expect.that("every job went to exactly one of them", claims.flat().sort()).is(
      upTo(60).map(jobId)
    )
  },
  *"gives one piece of work to exactly one of two claims at once"() {
    for (const round of upTo(20)) {
      yield* insertJob(makeUploadJob(round))
      const claims = yield* atOnce([first, second], (token) => claimIds(token))
      yield* Expect.that("one of them has it", claims.flat()).is([jobId(round)])
    }
  }
})

/** All of them. */
export const contract: Contract<Ports> = {
  port: "WorkQueue",
  cases: [...claims, ...lanes, ...turns, ...leases, ...owedWork]
}
