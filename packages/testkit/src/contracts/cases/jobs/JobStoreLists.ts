/**
 * The promises of a `JobStore` about lists of jobs, and about jobs that are deleted.
 */

import { IdempotencyKey } from "@verbatim/core/idempotency"
import type { Job, JobQuery } from "@verbatim/core/job"
import {
  type Creation,
  JobStore,
  type UnfinishedMax,
  type WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { Effect, Option, Result } from "effect"
import {
  apiKeyId,
  attemptStarted,
  balances,
  claimIds,
  commitJob,
  commitOf,
  creation,
  insertJob,
  instant,
  jobId,
  jobIdAt,
  later,
  leaseToken,
  makeFinishedJob,
  makeOwingJob,
  makeUploadJob,
  renewedIds,
  request,
  storedJob,
  storedWhole,
  transcript,
  transcriptProduced,
  upTo,
  workspaceId
} from "../../../samples/index.ts"
import { atOnce, type Cases, listCases, workspaceCases } from "../../Contract.ts"
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
export const lists: Cases<Ports> = workspaceCases(JobStore, {
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
    const elsewhere = store.remove(workspaceId(2), jobId(1))
    yield* elsewhere.pipe(Expect.gives("another workspace deletes nothing", Option.none()))
    yield* storedWhole(jobId(1)).pipe(Expect.gives("the job is as it was", whole))
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

/** A job of a workspace and a key, and how many may be unfinished. */
interface Wish extends Partial<UnfinishedMax> {
  readonly number: number
  readonly owner?: number
  readonly keyNumber?: number
  readonly name?: string
}

const makeJob = ({ keyNumber, number, owner = 1 }: Wish): Job =>
  makeUploadJob(number, {
    workspaceId: workspaceId(owner),
    ...(keyNumber === undefined ? {} : { keyId: apiKeyId(keyNumber) })
  })

const makeCreation = (wish: Wish): Creation => {
  const { key = null, name, number, workspace = null } = wish
  const record =
    name === undefined
      ? undefined
      : { key: IdempotencyKey.make(name), fingerprint: name, jobId: jobId(number), at: instant }
  return { ...creation(makeJob(wish), record), unfinishedMax: { workspace, key } }
}

/** What became of an insert, in a word. */
const insert = (wish: Wish) =>
  Effect.flatMap(JobStore, (store) =>
    Effect.map(Effect.result(store.insert(makeCreation(wish))), (outcome) => {
      if (Result.isFailure(outcome)) {
        const { reason } = outcome.failure
        return reason._tag === "Full" ? `no room for the ${reason.of}` : reason._tag
      }
      return Option.isSome(outcome.success) ? "earlier" : "written"
    })
  )

const countOf = (outcomes: ReadonlyArray<string>, word: string): number =>
  outcomes.filter((each) => each === word).length

const end = Effect.fnUntraced(function* (number: number, wish: Omit<Wish, "number"> = {}) {
  const running = yield* commitJob(makeJob({ ...wish, number }), { events: [attemptStarted()] })
  yield* commitJob(running, { events: [transcriptProduced()] })
})

/** What only so many unfinished jobs mean. */
export const roomCases: Cases<JobStore | WorkQueue | WorkspaceStore> = workspaceCases(JobStore, {
  *"lets no more jobs be unfinished than may be, of many inserted at once, and no fewer"() {
    const outcomes = yield* atOnce(upTo(24), (number) => insert({ number, workspace: 3 }))
    yield* Expect.that("so many are written", [
      countOf(outcomes, "written"),
      countOf(outcomes, "no room for the workspace")
    ]).is([3, 21])
    const ofKey = yield* atOnce(upTo(12), (number) =>
      insert({ number: 100 + number, keyNumber: 1, key: 2, workspace: 9 })
    )
    yield* Expect.that("so many of a key are written", [
      countOf(ofKey, "written"),
      countOf(ofKey, "no room for the key")
    ]).is([2, 10])
  },
  *"has room again when a job has ended, whatever has ended before"() {
    yield* Effect.forEach(upTo(5), (number) => insertJob(makeFinishedJob(100 + number)))
    const first = yield* insert({ number: 1, keyNumber: 1, workspace: 1, key: 1 })
    const second = yield* insert({ number: 2, keyNumber: 1, workspace: 1, key: 1 })
    yield* end(1, { keyNumber: 1 })
    const third = yield* insert({ number: 3, keyNumber: 1, workspace: 1, key: 1 })
    yield* Expect.that("one at a time", [first, second, third]).is([
      "written",
      "no room for the workspace",
      "written"
    ])
  },
  *"answers each of many inserts at once by its own limit"() {
    yield* insertJob(makeJob({ number: 1, keyNumber: 1 }))
    yield* insertJob(makeJob({ number: 2, owner: 2, keyNumber: 3 }))
    const wishes: ReadonlyArray<readonly [Wish, string]> = [
      [{ number: 11, keyNumber: 1, key: 1 }, "no room for the key"],
      [{ number: 12, keyNumber: 2, key: 1 }, "written"],
      [{ number: 13, workspace: 1 }, "no room for the workspace"],
      [{ number: 14, owner: 2, workspace: 2 }, "written"],
      [{ number: 15 }, "written"],
      [{ number: 16, owner: 3, keyNumber: 4, workspace: 1, key: 1 }, "written"]
    ]
    const outcomes = yield* atOnce(wishes, ([wish]) => insert(wish))
    yield* Expect.that("nobody gets the answer of another", outcomes).is(
      wishes.map(([, outcome]) => outcome)
    )
  },
  *"gives the room of a repeat to whoever comes behind it"() {
    yield* insert({ number: 1, name: "a" })
    const outcomes = yield* atOnce(
      [
        { number: 1, workspace: 2 },
        { number: 2, name: "a", workspace: 2 },
        { number: 3, workspace: 2 }
      ],
      insert
    )
    yield* Expect.that("a repeat needs no room", outcomes).is(["Superseded", "earlier", "written"])
  },
  *"answers a repeat as ever where there is no room"(store) {
    const { idempotency } = makeCreation({ number: 1, name: "a" })
    yield* insert({ number: 1, name: "a", workspace: 1 })
    yield* Expect.that("by its id", yield* insert({ number: 1, workspace: 1 })).is("Superseded")
    yield* Expect.that(
      "by its key",
      yield* store.insert(makeCreation({ number: 2, name: "a", workspace: 1 }))
    ).is(idempotency)
  },
  *"writes nothing of a job that there is no room for"(store) {
    yield* insert({ number: 1 })
    yield* Expect.that("it is refused", yield* insert({ number: 2, name: "a", workspace: 1 })).is(
      "no room for the workspace"
    )
    yield* storedJob(jobId(2)).pipe(Expect.gives("there is no such job", Option.none()))
    yield* store
      .idempotency(workspaceId(1), IdempotencyKey.make("a"))
      .pipe(Expect.gives("its key is free", Option.none()))
    yield* store.history(jobId(2)).pipe(Expect.gives("it has no history", []))
  },
  *"counts the jobs that owe work, of a workspace or of a key, up to a number"(store) {
    for (const number of upTo(4)) yield* insert({ number, keyNumber: 1 + (number % 2) })
    yield* insert({ number: 5, owner: 2, keyNumber: 3 })
    yield* end(4, { keyNumber: 1 })
    const count = (owner: number, keyNumber: number | null, countMax = 10) =>
      store.unfinished({
        workspaceId: workspaceId(owner),
        keyId: keyNumber === null ? null : apiKeyId(keyNumber),
        countMax
      })
    yield* Expect.that("each count is right", [
      yield* count(1, null),
      yield* count(1, 1),
      yield* count(1, 2),
      yield* count(2, null),
      yield* count(3, null),
      yield* count(1, null, 2)
    ]).is([3, 1, 2, 1, 0, 2])
  }
})

const readMarker = Effect.flatMap(JobStore, ({ mediaMark }) =>
  Effect.map(mediaMark, ({ marker }) => marker)
)

/** All of them. */
export const media: Cases<JobStore> = listCases(JobStore, {
  *"has no media store at first, and then the first of many that come at once"(store) {
    yield* readMarker.pipe(Expect.gives("there is none at first", Option.none()))
    const markers = upTo(8).map((number) => `marker ${number}`)
    const answers = new Set(
      yield* atOnce(markers, (marker) => store.adoptMedia({ marker, isReplacing: false }))
    )
    yield* Expect.that("all are told of the same one", answers.size).is(1)
    const [first = ""] = answers
    yield* Expect.holds("it is one of them", markers.includes(first))
    yield* Expect.that("it stays", [
      yield* store.adoptMedia({ marker: "late", isReplacing: false }),
      yield* readMarker
    ]).is([first, Option.some(first)])
  },
  *"has one identity, is no copy of itself, and was made before now"(store) {
    const before = yield* store.mediaMark
    yield* store.adoptMedia({ marker: "first", isReplacing: false })
    const after = yield* store.mediaMark
    yield* Expect.that("it has the same identity", after.identity).is(before.identity)
    yield* Expect.holds("it is no copy", !before.isCopied && !after.isCopied)
    const now = yield* store.now
    yield* Expect.holds(
      "it is not from the future",
      after.createdAt.epochMilliseconds <= now.epochMilliseconds
    )
  }
})
