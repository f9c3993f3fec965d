/**
 * The promises of a `JobStore` about lists of jobs, and about jobs that are deleted.
 */
import type { Job, JobQuery } from "@verbatim/core/job"
import { JobStore, type WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { jobId, jobIdAt, leaseToken, upTo, workspaceId } from "../../../samples/Ids.ts"
import { attemptStarted, transcriptProduced } from "../../../samples/SampleEvent.ts"
import { commitOf, makeOwingJob, makeUploadJob, request } from "../../../samples/SampleJob.ts"
import { transcript } from "../../../samples/SampleTranscript.ts"
import { instant, later } from "../../../samples/SampleWorkspace.ts"
import {
  balances,
  claimIds,
  commitJob,
  insertJob,
  renewedIds,
  storedWhole
} from "../../../samples/Stored.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Ports = JobStore | WorkQueue | WorkspaceStore

const listJobs = (wanted: Partial<JobQuery> = {}) =>
  Effect.flatMap(JobStore, (store) =>
    store.list({
      workspaceId: workspaceId(1),
      status: Option.none(),
      after: Option.none(),
      limit: 100,
      ...wanted
    })
  )

const idsOf = (jobs: ReadonlyArray<Job>) => jobs.map(({ id }) => id)

/** Numbers of jobs that a list is expected to hold, in its order. */
const ids = (...numbers: ReadonlyArray<number>) => numbers.map(jobId)

const chargedJob = Effect.gen(function* () {
  const job = yield* insertJob(makeUploadJob(1))
  const running = yield* commitJob(job, { events: [attemptStarted()] })
  yield* commitJob(running, { events: [transcriptProduced()], transcript, chargeMillis: 61_234 })
})

/** A callback id of any text that may be sent. */
const awkward = "démo 🎙️ 'quoted' \"twice\" \\ %"

/** What a `JobStore` promises about lists. */
export const lists: ReadonlyArray<Case<Ports>> = workspaceCases(JobStore, {
  *"lists the jobs of one workspace, the greatest id first"() {
    for (const number of [3, 1, 11, 2]) yield* insertJob(makeUploadJob(number))
    yield* insertJob(makeUploadJob(4, { workspaceId: workspaceId(2) }))
    const all = yield* listJobs()
    yield* Expect.that("own jobs, in order", idsOf(all)).is(ids(11, 3, 2, 1))
    yield* Expect.that("each as it was inserted", all[1]).is(makeUploadJob(3))
    yield* Expect.that(
      "nothing for a stranger",
      yield* listJobs({ workspaceId: workspaceId(3) })
    ).is([])
  },
  *"lists page after page without gaps or repeats, whatever comes or goes meanwhile"(store) {
    for (const number of upTo(7)) yield* insertJob(makeUploadJob(number))
    const first = yield* listJobs({ limit: 3 })
    yield* Expect.that("the first page", idsOf(first)).is(ids(7, 6, 5))
    yield* insertJob(makeUploadJob(8))
    yield* store.remove(workspaceId(1), jobId(5))
    const after = Option.some(jobId(5))
    const second = yield* listJobs({ after, limit: 3 })
    yield* Expect.that("the second begins behind a job that is gone", idsOf(second)).is(
      ids(4, 3, 2)
    )
    yield* Expect.that(
      "the last is not full",
      idsOf(yield* listJobs({ after: Option.some(jobId(2)), limit: 3 }))
    ).is(ids(1))
    yield* Expect.that(
      "behind the last there is nothing",
      yield* listJobs({ after: Option.some(jobId(1)), limit: 3 })
    ).is([])
  },
  *"lists jobs by the status that they have now"() {
    const queued = { status: Option.some("IN_QUEUE" as const) }
    const done = { status: Option.some("COMPLETED" as const) }
    for (const number of upTo(3)) yield* insertJob(makeUploadJob(number))
    const due = { kind: "Deliver" as const, dueAt: instant }
    yield* insertJob(makeOwingJob(4, due))
    const running = yield* commitJob(makeUploadJob(2), { events: [attemptStarted()] })
    yield* Expect.that("those that wait", idsOf(yield* listJobs(queued))).is(ids(3, 1))
    yield* commitJob(running, { events: [transcriptProduced()], transcript })
    yield* Expect.that("the one that is done", idsOf(yield* listJobs(done))).is(ids(2))
    yield* Expect.that(
      "one that waits for its webhook is another matter",
      idsOf(yield* listJobs({ status: Option.some("TRANSCRIBED") }))
    ).is(ids(4))
    yield* Expect.that(
      "a page of them begins behind a job of any status",
      idsOf(yield* listJobs({ ...queued, after: Option.some(jobId(2)) }))
    ).is(ids(1))
  },
  *"lists the jobs of one callback id, and of no other"() {
    const called = (number: number, callbackId: string | null, wishes: Partial<Job> = {}) =>
      insertJob(makeUploadJob(number, { request: { ...request, callbackId }, ...wishes }))
    yield* called(1, awkward)
    yield* called(2, null)
    yield* called(3, awkward)
    yield* called(4, "other")
    yield* called(5, awkward, { workspaceId: workspaceId(2) })
    yield* Expect.that("those that have it", idsOf(yield* listJobs({ callbackId: awkward }))).is(
      ids(3, 1)
    )
    yield* Expect.that(
      "behind one of them, the next",
      idsOf(yield* listJobs({ callbackId: awkward, after: Option.some(jobId(3)) }))
    ).is(ids(1))
    yield* Expect.that(
      "of a status they do not have, none",
      yield* listJobs({ callbackId: awkward, status: Option.some("COMPLETED") })
    ).is([])
  },
  *"lists the jobs that were accepted from one instant up to another"() {
    // The second was asked for an hour before it was accepted, the third by a clock ahead.
    const asked = [0, -3_600_000, 300_000, 0].map((ahead, index) => ({
      id: jobIdAt(later(index * 1_000 + ahead), index + 1),
      acceptedAt: later(index * 1_000)
    }))
    for (const [index, { acceptedAt, id }] of asked.entries()) {
      const { transcription } = makeUploadJob(index + 1)
      yield* insertJob(
        makeUploadJob(index + 1, { id, acceptedAt, transcription: { ...transcription, id } })
      )
    }
    const numbered = (jobs: ReadonlyArray<Job>) =>
      jobs.map(({ id }) => asked.findIndex((one) => one.id === id) + 1).toSorted()
    const between = (from: number, before: number) =>
      Effect.map(listJobs({ createdFrom: later(from), createdBefore: later(before) }), numbered)
    yield* between(0, 10_000).pipe(Expect.gives("all of them", [1, 2, 3, 4]))
    yield* between(1_000, 3_000).pipe(Expect.gives("the first instant, not the last", [2, 3]))
    yield* between(1_001, 1_999).pipe(Expect.gives("nobody in between", []))
    yield* Expect.that(
      "since an instant",
      numbered(yield* listJobs({ createdFrom: later(2_000) }))
    ).is([3, 4])
    yield* Expect.that(
      "before an instant",
      numbered(yield* listJobs({ createdBefore: later(1_000) }))
    ).is([1])
  },
  *"tells whether a workspace has any job"(store) {
    yield* insertJob(makeUploadJob(1, { workspaceId: workspaceId(2) }))
    yield* store.hasAny(workspaceId(1)).pipe(Expect.gives("a neighbour's is none", false))
    yield* insertJob(makeUploadJob(2))
    yield* store.hasAny(workspaceId(1)).pipe(Expect.gives("its own is one", true))
    yield* store.remove(workspaceId(1), jobId(2))
    yield* store.hasAny(workspaceId(1)).pipe(Expect.gives("until it is deleted", false))
  },
  *"deletes a job with all that belongs to it, but its charge"(store) {
    yield* chargedJob
    yield* insertJob(makeUploadJob(2))
    const before = yield* balances
    const whole = yield* storedWhole(jobId(1))
    const removed = yield* store.remove(workspaceId(1), jobId(1))
    yield* Expect.that("it is returned as it was", removed).is(whole.job)
    yield* Expect.that("nothing of it is left", yield* storedWhole(jobId(1))).is({
      ...whole,
      job: Option.none(),
      history: [],
      transcript: Option.none()
    })
    yield* balances.pipe(Expect.gives("what it cost stays booked", before))
    yield* Expect.that("others stay", idsOf(yield* listJobs())).is(ids(2))
    yield* Expect.that(
      "a second time there is nothing to delete",
      yield* store.remove(workspaceId(1), jobId(1))
    ).is(Option.none())
  },
  *"deletes no job of another workspace"(store) {
    yield* insertJob(makeUploadJob(1))
    yield* Expect.that("nothing is deleted", yield* store.remove(workspaceId(2), jobId(1))).is(
      Option.none()
    )
    yield* Expect.that("the job is there", idsOf(yield* listJobs())).is(ids(1))
    yield* claimIds(leaseToken(1)).pipe(Expect.gives("and is still owed", ids(1)))
  },
  *"takes the work of a deleted job from whoever holds it"(store) {
    const job = yield* insertJob(makeUploadJob(1))
    const token = leaseToken(1)
    yield* claimIds(token)
    yield* store.remove(workspaceId(1), job.id)
    yield* renewedIds(token, [job.id]).pipe(Expect.gives("its lease is not renewed", []))
    yield* Expect.refuses(
      store.commit(commitOf(job, { events: [attemptStarted()], token, isLeaseKept: true })),
      "Superseded"
    )
    yield* claimIds(leaseToken(2)).pipe(Expect.gives("nobody is given it again", []))
  },
  *"deletes a job once, or commits to it before"(store) {
    const job = yield* insertJob(makeUploadJob(1))
    const removals = yield* atOnce(upTo(6), (number) =>
      number % 2 === 0
        ? Effect.as(
            Effect.result(store.commit(commitOf(job, { events: [attemptStarted()] }))),
            Option.none()
          )
        : store.remove(workspaceId(1), job.id)
    )
    yield* Expect.that("one was told that it did it", removals.filter(Option.isSome).length).is(1)
    yield* Expect.that("nothing is left", [
      yield* listJobs(),
      yield* store.history(job.id),
      yield* claimIds(leaseToken(1))
    ]).is([[], [], []])
  }
})
