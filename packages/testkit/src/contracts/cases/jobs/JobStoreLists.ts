/** Contract cases for `JobStore` about lists of jobs, deletions, and limits. */

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
  commitJob,
  creation,
  findJob,
  insertJob,
  instant,
  jobId,
  jobIdAt,
  later,
  makeFinishedJob,
  makePendingJob,
  makeUploadJob,
  readWholeJob,
  request,
  transcribeJob,
  transcriptProduced,
  upTo,
  workspaceId
} from "../../../samples/index.ts"
import { atOnce, type Cases, listCases, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { everything, noText } from "./JobStoreTexts.ts"

type Ports = JobStore | WorkQueue | WorkspaceStore

/** Lists jobs, and returns their numbers in the order of the list. */
const listed = (wanted: Partial<JobQuery> = {}) =>
  Effect.flatMap(JobStore, (store) => {
    const own = { workspaceId: workspaceId(1), status: Option.none(), after: Option.none() }
    return Effect.map(store.list({ ...own, limit: 100, ...wanted }), (jobs) =>
      jobs.map(({ id }) => Number.parseInt(id.slice(-4), 16))
    )
  })

const behind = (number: number) => ({ after: Option.some(jobId(number)) })

/** A callback id with accents, an emoji, quotes and other special characters. */
const awkward = "démo 🎙️ 'quoted' \"twice\" \\ %"

export const lists: Cases<Ports> = workspaceCases(JobStore, {
  *"lists one workspace's jobs, highest id first"() {
    for (const number of [3, 1, 11, 2]) yield* insertJob(makeUploadJob(number))
    yield* insertJob(makeUploadJob(4, { workspaceId: workspaceId(2) }))
    yield* listed().pipe(Expect.gives("own jobs, in order", [11, 3, 2, 1]))
    const stranger = listed({ workspaceId: workspaceId(3) })
    yield* stranger.pipe(Expect.gives("nothing for another workspace", []))
  },
  *"lists jobs page by page without gaps or repeats while jobs are inserted and deleted"(store) {
    for (const number of upTo(7)) yield* insertJob(makeUploadJob(number))
    const page = (query: Partial<JobQuery>) => listed({ ...query, limit: 3 })
    yield* page({}).pipe(Expect.gives("the first page", [7, 6, 5]))
    yield* insertJob(makeUploadJob(8))
    yield* store.remove(workspaceId(1), jobId(5))
    yield* page(behind(5)).pipe(Expect.gives("those after a deleted job", [4, 3, 2]))
    yield* page(behind(2)).pipe(Expect.gives("the last is not full", [1]))
    yield* page(behind(1)).pipe(Expect.gives("nothing after the last", []))
  },
  *"lists jobs by their current status"() {
    const of = (status: Option.Option.Value<JobQuery["status"]>, query: Partial<JobQuery> = {}) =>
      listed({ status: Option.some(status), ...query })
    for (const number of upTo(3)) yield* insertJob(makeUploadJob(number))
    yield* insertJob(makePendingJob(4, { kind: "Deliver", dueAt: instant }))
    const running = yield* commitJob(makeUploadJob(2), { events: [attemptStarted()] })
    yield* of("IN_QUEUE").pipe(Expect.gives("the waiting ones", [3, 1]))
    yield* commitJob(running, { events: [transcriptProduced()] })
    yield* of("COMPLETED").pipe(Expect.gives("the completed one", [2]))
    yield* of("TRANSCRIBED").pipe(Expect.gives("the one with a pending webhook", [4]))
    yield* of("IN_QUEUE", behind(2)).pipe(Expect.gives("after a job of any status", [1]))
  },
  *"lists only the jobs with a given callback id"() {
    const ids = { 1: awkward, 2: null, 3: awkward, 4: "other" }
    for (const [number, callbackId] of Object.entries(ids)) {
      yield* insertJob(makeUploadJob(Number(number), { request: { ...request, callbackId } }))
    }
    const called = { request: { ...request, callbackId: awkward }, workspaceId: workspaceId(2) }
    yield* insertJob(makeUploadJob(5, called))
    const of = (query: Partial<JobQuery> = {}) => listed({ callbackId: awkward, ...query })
    yield* of().pipe(Expect.gives("those that have it", [3, 1]))
    yield* of(behind(3)).pipe(Expect.gives("after one of them, the next", [1]))
    const done = of({ status: Option.some("COMPLETED") })
    yield* done.pipe(Expect.gives("none with another status", []))
  },
  *"lists the jobs accepted between two instants"() {
    // The second job was requested an hour before it was accepted, and the third by a caller whose
    // clock is ahead.
    const submitted = [0, -3_600_000, 300_000, 0].map((ahead, index) => ({
      id: jobIdAt(later(index * 1_000 + ahead), index + 1),
      acceptedAt: later(index * 1_000)
    }))
    for (const [index, { acceptedAt, id }] of submitted.entries()) {
      const { transcription } = makeUploadJob(index + 1)
      yield* insertJob(
        makeUploadJob(index + 1, { id, acceptedAt, transcription: { ...transcription, id } })
      )
    }
    const between = (from?: number, before?: number) =>
      Effect.map(
        listed({
          ...(from === undefined ? {} : { createdFrom: later(from) }),
          ...(before === undefined ? {} : { createdBefore: later(before) })
        }),
        (numbers) => numbers.toSorted()
      )
    yield* between(0, 10_000).pipe(Expect.gives("all of them", [1, 2, 3, 4]))
    yield* between(1_000, 3_000).pipe(
      Expect.gives("including the first instant, excluding the last", [2, 3])
    )
    yield* between(1_001, 1_999).pipe(Expect.gives("no job in between", []))
    yield* between(2_000).pipe(Expect.gives("since an instant", [3, 4]))
    yield* between(undefined, 1_000).pipe(Expect.gives("before an instant", [1]))
  },
  *"lists the jobs of all workspaces by the same filters, page by page"() {
    const named = { request: { ...request, callbackId: awkward } }
    for (const number of upTo(9)) {
      const id = jobIdAt(later(number * 1_000), number)
      const owner = {
        workspaceId: workspaceId(1 + (number % 3)),
        acceptedAt: later(number * 1_000)
      }
      const transcription = { ...makeUploadJob(number).transcription, id }
      const own = { ...owner, id, transcription, ...(number > 6 ? named : {}) }
      const job = yield* insertJob(makeUploadJob(number, own))
      if (number % 2 === 0) yield* commitJob(job, { events: [attemptStarted()] })
    }
    const after6 = { after: Option.some(jobIdAt(later(6_000), 6)) }
    const all = (query: Partial<JobQuery> = {}) => listed({ workspaceId: null, ...query })
    const running = { status: Option.some("IN_PROGRESS" as const) }
    yield* all({ limit: 4 }).pipe(Expect.gives("the newest", [9, 8, 7, 6]))
    yield* all(after6).pipe(Expect.gives("the next page", [5, 4, 3, 2, 1]))
    yield* all(running).pipe(Expect.gives("those with a status", [8, 6, 4, 2]))
    yield* all({ ...running, ...after6 }).pipe(
      Expect.gives("those with a status, after a job", [4, 2])
    )
    yield* all({ callbackId: awkward }).pipe(Expect.gives("those with a callback id", [9, 8, 7]))
    const between = { createdFrom: later(3_000), createdBefore: later(6_000) }
    yield* all(between).pipe(Expect.gives("those between two instants", [5, 4, 3]))
    const both = all({ ...running, ...between })
    yield* both.pipe(Expect.gives("those with a status between two instants", [4]))
  },
  *"reports whether a workspace has any jobs"(store) {
    yield* insertJob(makeUploadJob(1, { workspaceId: workspaceId(2) }))
    yield* store
      .hasAny(workspaceId(1))
      .pipe(Expect.gives("another workspace's job does not count", false))
    yield* insertJob(makeUploadJob(2))
    yield* store.hasAny(workspaceId(1)).pipe(Expect.gives("its own job counts", true))
    yield* store.remove(workspaceId(1), jobId(2))
    yield* store.hasAny(workspaceId(1)).pipe(Expect.gives("a deleted job does not count", false))
  },
  *"deletes a job and all its rows except its charge"(store) {
    yield* transcribeJob(1, everything)
    yield* insertJob(makeUploadJob(2))
    const whole = yield* readWholeJob(jobId(1))
    const elsewhere = store.remove(workspaceId(2), jobId(1))
    yield* elsewhere.pipe(Expect.gives("another workspace deletes nothing", Option.none()))
    yield* readWholeJob(jobId(1)).pipe(Expect.gives("the job is unchanged", whole))
    const removed = yield* store.remove(workspaceId(1), jobId(1))
    yield* Expect.that("the deleted job is returned", removed).is(whole.job)
    const left = { ...whole, ...noText, job: Option.none(), history: [] }
    yield* readWholeJob(jobId(1)).pipe(Expect.gives("only its charge is left", left))
    const reused = store.findPiece(workspaceId(1), "a")
    yield* reused.pipe(Expect.gives("no piece can be reused", Option.none()))
    yield* listed().pipe(Expect.gives("others remain", [2]))
    const again = store.remove(workspaceId(1), jobId(1))
    yield* again.pipe(Expect.gives("there is nothing to delete again", Option.none()))
  }
})

/** A job with its workspace and key, and the limits on unfinished jobs. */
interface InsertSpec extends Partial<UnfinishedMax> {
  readonly number: number
  readonly owner?: number
  readonly keyNumber?: number
  readonly name?: string
}

const makeJob = ({ keyNumber, number, owner = 1 }: InsertSpec): Job =>
  makeUploadJob(number, {
    workspaceId: workspaceId(owner),
    ...(keyNumber === undefined ? {} : { keyId: apiKeyId(keyNumber) })
  })

const makeCreation = (spec: InsertSpec): Creation => {
  const { key = null, name, number, workspace = null } = spec
  const record =
    name === undefined
      ? undefined
      : { key: IdempotencyKey.make(name), fingerprint: name, jobId: jobId(number), at: instant }
  return { ...creation(makeJob(spec), record), unfinishedMax: { workspace, key } }
}

/** Inserts a job, and returns the result as a short phrase. */
const insert = (spec: InsertSpec) =>
  Effect.flatMap(JobStore, (store) =>
    Effect.map(Effect.result(store.insert(makeCreation(spec))), (outcome) => {
      if (Result.isFailure(outcome)) {
        const { reason } = outcome.failure
        return reason._tag === "Full" ? `no room for the ${reason.of}` : reason._tag
      }
      return Option.isSome(outcome.success) ? "earlier" : "written"
    })
  )

const countOf = (outcomes: ReadonlyArray<string>, word: string): number =>
  outcomes.filter((each) => each === word).length

const end = Effect.fnUntraced(function* (number: number, spec: Omit<InsertSpec, "number"> = {}) {
  const running = yield* commitJob(makeJob({ ...spec, number }), { events: [attemptStarted()] })
  yield* commitJob(running, { events: [transcriptProduced()] })
})

export const limitCases: Cases<JobStore | WorkQueue | WorkspaceStore> = workspaceCases(JobStore, {
  *"accepts exactly the allowed number of unfinished jobs from many concurrent inserts"() {
    const outcomes = yield* atOnce(upTo(24), (number) => insert({ number, workspace: 3 }))
    yield* Expect.that("as many as allowed are written", [
      countOf(outcomes, "written"),
      countOf(outcomes, "no room for the workspace")
    ]).is([3, 21])
    const ofKey = yield* atOnce(upTo(12), (number) =>
      insert({ number: 100 + number, keyNumber: 1, key: 2, workspace: 9 })
    )
    yield* Expect.that("as many as allowed for a key are written", [
      countOf(ofKey, "written"),
      countOf(ofKey, "no room for the key")
    ]).is([2, 10])
  },
  *"accepts exactly one more job after an unfinished job has ended"() {
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
  *"checks each of many concurrent inserts against the limit in that insert"() {
    yield* insertJob(makeJob({ number: 1, keyNumber: 1 }))
    yield* insertJob(makeJob({ number: 2, owner: 2, keyNumber: 3 }))
    const specs: ReadonlyArray<readonly [InsertSpec, string]> = [
      [{ number: 11, keyNumber: 1, key: 1 }, "no room for the key"],
      [{ number: 12, keyNumber: 2, key: 1 }, "written"],
      [{ number: 13, workspace: 1 }, "no room for the workspace"],
      [{ number: 14, owner: 2, workspace: 2 }, "written"],
      [{ number: 15 }, "written"],
      [{ number: 16, owner: 3, keyNumber: 4, workspace: 1, key: 1 }, "written"]
    ]
    const outcomes = yield* atOnce(specs, ([spec]) => insert(spec))
    yield* Expect.that("each gets its own answer", outcomes).is(specs.map(([, outcome]) => outcome))
  },
  *"lets the next request use the slot that a repeated request does not need"() {
    yield* insert({ number: 1, name: "a" })
    const outcomes = yield* atOnce(
      [
        { number: 1, workspace: 2 },
        { number: 2, name: "a", workspace: 2 },
        { number: 3, workspace: 2 }
      ],
      insert
    )
    yield* Expect.that("a repeat takes no slot", outcomes).is(["Superseded", "earlier", "written"])
  },
  *"answers a repeated request even when the limit is reached"(store) {
    const { idempotency } = makeCreation({ number: 1, name: "a" })
    yield* insert({ number: 1, name: "a", workspace: 1 })
    yield* Expect.that("by its id", yield* insert({ number: 1, workspace: 1 })).is("Superseded")
    yield* Expect.that(
      "by its key",
      yield* store.insert(makeCreation({ number: 2, name: "a", workspace: 1 }))
    ).is(idempotency)
  },
  *"writes nothing when it refuses a job beyond the limit"(store) {
    yield* insert({ number: 1 })
    yield* Expect.that("it is refused", yield* insert({ number: 2, name: "a", workspace: 1 })).is(
      "no room for the workspace"
    )
    yield* findJob(jobId(2)).pipe(Expect.gives("there is no such job", Option.none()))
    yield* store
      .idempotency(workspaceId(1), IdempotencyKey.make("a"))
      .pipe(Expect.gives("its key is free", Option.none()))
    yield* store.history(jobId(2)).pipe(Expect.gives("it has no history", []))
  },
  *"counts the unfinished jobs of a workspace or a key, up to a maximum"(store) {
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

const readMarker = Effect.flatMap(JobStore, ({ databaseIdentity }) =>
  Effect.map(databaseIdentity, ({ marker }) => marker)
)

export const media: Cases<JobStore> = listCases(JobStore, {
  *"has no media marker at first, and keeps the first of several concurrently written markers"(
    store
  ) {
    yield* readMarker.pipe(Expect.gives("there is none at first", Option.none()))
    const markers = upTo(8).map((number) => `marker ${number}`)
    const answers = new Set(
      yield* atOnce(markers, (marker) => store.adoptMedia({ marker, isReplacing: false }))
    )
    yield* Expect.that("all get the same one", answers.size).is(1)
    const [first = ""] = answers
    yield* Expect.holds("it is one of them", markers.includes(first))
    yield* Expect.that("it stays", [
      yield* store.adoptMedia({ marker: "late", isReplacing: false }),
      yield* readMarker
    ]).is([first, Option.some(first)])
  },
  *"keeps its identity and creation time, and is not marked as a copy"(store) {
    const before = yield* store.databaseIdentity
    yield* store.adoptMedia({ marker: "first", isReplacing: false })
    const after = yield* store.databaseIdentity
    yield* Expect.that("it has the same identity", after.identity).is(before.identity)
    yield* Expect.holds("it is not marked as a copy", !before.isCopied && !after.isCopied)
    yield* Expect.that("it was made at the same time", after.createdAt).is(before.createdAt)
    yield* Expect.holds("that time is known", after.createdAt.epochMilliseconds > 0)
  }
})
