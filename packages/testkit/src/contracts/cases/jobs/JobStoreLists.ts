/** Contract cases for `JobStore` about lists of jobs, deletions, and limits. */

import type { JobId } from "@verbatim/core/attempt"
import { IdempotencyKey } from "@verbatim/core/idempotency"
import type { Job, JobQuery } from "@verbatim/core/job"
import {
  type Creation,
  JobStore,
  type UnfinishedMax,
  type WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"
import { DateTime, Effect, Option, Result } from "effect"
import {
  apiKeyId,
  attemptStarted,
  commitJob,
  creation,
  deliveryId,
  deliveryStarted,
  findJob,
  givenUp,
  insertJob,
  instant,
  jobId,
  jobIdAt,
  later,
  makeFinishedJob,
  makeFullJob,
  makeUploadJob,
  onDelivery,
  readWholeJob,
  request,
  startJob,
  transcribeJob,
  transcriptOf,
  transcriptProduced,
  upTo,
  workspaceId
} from "../../../samples/index.ts"
import { atOnce, type Cases, listCases, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { everything, listNumbers, noText } from "./JobStoreTexts.ts"

type Ports = JobStore | WorkQueue | WorkspaceStore

const behind = (number: number) => ({ after: Option.some(jobId(number)) })

const statuses = [
  "IN_QUEUE",
  "IN_PROGRESS",
  "COMPLETED",
  "TRANSCRIBED",
  "FAILED",
  "WEBHOOK_FAILED"
] as const

const isTranscribed = (status: (typeof statuses)[number]): boolean =>
  ["COMPLETED", "TRANSCRIBED", "WEBHOOK_FAILED"].includes(status)

const isFailed = (status: (typeof statuses)[number]): boolean =>
  status === "FAILED" || status === "WEBHOOK_FAILED"

/** A callback id with accents, an emoji, quotes and other special characters. */
const awkward = "démo 🎙️ 'quoted' \"twice\" \\ %"

/** Jobs in two workspaces with various statuses. Some of them share a callback id or a word. */
const listedJobs = upTo(24).map((number) => {
  // Some jobs were accepted an hour after their request, and others came from a caller with a fast
  // clock.
  const ahead = [0, -3_600_000, 300_000][number % 3] ?? 0
  return {
    number,
    id: jobIdAt(later(number * 1_000 + ahead), number),
    workspaceId: workspaceId(1 + (number % 2)),
    acceptedAt: later(number * 1_000),
    status: statuses[(number >> 1) % statuses.length] ?? "IN_QUEUE",
    callbackId: [awkward, null, "other"][(number % 5) % 3] ?? null,
    cause: number < 16 ? ("StorageFailed" as const) : ("EngineFailed" as const),
    text: number % 8 < 5 ? "red one" : "blue"
  }
})

type ListedJob = (typeof listedJobs)[number]

const addListed = Effect.fnUntraced(function* (listed: ListedJob) {
  const { callbackId, cause, number, status, text, ...own } = listed
  const { transcription } = makeUploadJob(number)
  const job = makeUploadJob(number, {
    ...own,
    request: { ...request, callbackId },
    transcription: { ...transcription, id: own.id },
    delivery: ["TRANSCRIBED", "WEBHOOK_FAILED"].includes(status)
      ? makeFullJob(number).delivery
      : null
  })
  const failure = { _tag: cause, detail: "" }
  yield* insertJob(job)
  if (status === "IN_QUEUE") return
  const running = yield* commitJob(job, { events: [attemptStarted()] })
  if (status === "IN_PROGRESS") {
    // The job failed and was retried.
    const failed = yield* commitJob(running, { events: [givenUp(failure)] })
    const retry = { _tag: "RetryRequested" as const, at: instant, id: deliveryId(number) }
    const again = yield* commitJob(failed, { events: [{ _tag: "Retry", event: retry }] })
    yield* commitJob(again, { events: [attemptStarted()] })
    return
  }
  if (status === "FAILED") {
    yield* commitJob(running, { events: [givenUp(failure)] })
    return
  }
  const transcript = transcriptOf([text])
  const done = yield* commitJob(running, { events: [transcriptProduced()], transcript })
  if (status !== "WEBHOOK_FAILED") return
  const end = onDelivery({ _tag: "GivenUp", at: instant, failure })
  yield* commitJob(done, { events: [deliveryStarted(1), end] })
})

type Filter = Omit<JobQuery, "after" | "limit">

const findMatches = (query: Filter): ReadonlyArray<ListedJob> =>
  listedJobs
    .filter(
      ({ acceptedAt, callbackId, cause, status, text, workspaceId }) =>
        workspaceId === (query.workspaceId ?? workspaceId) &&
        Option.getOrElse(query.status, () => status) === status &&
        DateTime.isGreaterThanOrEqualTo(acceptedAt, query.createdFrom ?? acceptedAt) &&
        (query.createdBefore === undefined ||
          DateTime.isLessThan(acceptedAt, query.createdBefore)) &&
        (query.callbackId ?? callbackId) === callbackId &&
        (query.cause === undefined || (isFailed(status) && query.cause === cause)) &&
        (query.words === undefined ||
          (isTranscribed(status) && query.words.every((word) => text.includes(word))))
    )
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))

/** Combines filters for each workspace, for an unknown workspace, and for all workspaces. */
const queries: ReadonlyArray<Filter> = [...upTo(3).map(workspaceId), null].flatMap((workspaceId) =>
  [undefined, ...statuses].flatMap((status) =>
    [{}, { callbackId: awkward }, { callbackId: "none" }].flatMap((called) =>
      [
        {},
        { createdFrom: later(5_000) },
        { createdBefore: later(20_000) },
        { createdFrom: later(7_001), createdBefore: later(19_000) },
        { cause: "StorageFailed" as const },
        { cause: "EngineFailed" as const, createdFrom: later(7_001), createdBefore: later(23_000) },
        { cause: "AudioMissing" as const },
        // A search always covers only one workspace.
        ...(workspaceId === null ? [] : [{ words: ["red"] }, { words: ["red", "blue"] }])
      ].map((more) => ({
        ...{ workspaceId, status: Option.fromUndefinedOr(status) },
        ...called,
        ...more
      }))
    )
  )
)

export const lists: Cases<Ports> = workspaceCases(JobStore, {
  *"lists exactly the jobs that match all filters, highest id first, page by page"(store) {
    yield* Effect.forEach(listedJobs, addListed)
    for (const query of queries) {
      const all = findMatches(query)
      for (const limit of [4, 100]) {
        let after = Option.none<JobId>()
        for (let from = 0; from <= all.length; from += limit) {
          const page = all.slice(from, from + limit).map(({ id }) => id)
          const found = yield* store.list({ ...query, after, limit })
          yield* Expect.that(
            JSON.stringify(query),
            found.map(({ id }) => id)
          ).is(page)
          after = Option.fromUndefinedOr(page.at(-1))
        }
      }
    }
  },
  *"lists jobs page by page without gaps or repeats while jobs are inserted and deleted"(store) {
    for (const number of upTo(7)) yield* insertJob(makeUploadJob(number))
    const page = (query: Partial<JobQuery>) => listNumbers({ ...query, limit: 3 })
    yield* page({}).pipe(Expect.gives("the first page", [7, 6, 5]))
    yield* insertJob(makeUploadJob(8))
    yield* store.remove(workspaceId(1), jobId(5))
    yield* page(behind(5)).pipe(Expect.gives("the page after a deleted job", [4, 3, 2]))
    yield* page(behind(2)).pipe(Expect.gives("the last is not full", [1]))
    yield* page(behind(1)).pipe(Expect.gives("nothing after the last", []))
  },
  *"reports whether a workspace has any jobs"(store) {
    yield* insertJob(makeUploadJob(1, { workspaceId: workspaceId(2) }))
    yield* store
      .hasAny(workspaceId(1))
      .pipe(Expect.gives("a job in another workspace does not count", false))
    yield* insertJob(makeUploadJob(2))
    yield* store.hasAny(workspaceId(1)).pipe(Expect.gives("the workspace's own job counts", true))
    yield* store.remove(workspaceId(1), jobId(2))
    yield* store.hasAny(workspaceId(1)).pipe(Expect.gives("a deleted job does not count", false))
  },
  *"deletes a job and all its rows except its charge"(store) {
    yield* transcribeJob(1, everything)
    yield* insertJob(makeUploadJob(2))
    const whole = yield* readWholeJob(jobId(1))
    const elsewhere = store.remove(workspaceId(2), jobId(1))
    yield* elsewhere.pipe(
      Expect.gives("a deletion by another workspace deletes nothing", Option.none())
    )
    yield* readWholeJob(jobId(1)).pipe(Expect.gives("the job is unchanged", whole))
    const removed = yield* store.remove(workspaceId(1), jobId(1))
    yield* Expect.that("the deleted job is returned", removed).is(whole.job)
    const left = { ...whole, ...noText, job: Option.none(), history: [] }
    yield* readWholeJob(jobId(1)).pipe(Expect.gives("only its charge is left", left))
    const reused = store.findPiece(workspaceId(1), "a")
    yield* reused.pipe(Expect.gives("no piece can be reused", Option.none()))
    yield* listNumbers().pipe(Expect.gives("other jobs remain", [2]))
    const again = store.remove(workspaceId(1), jobId(1))
    yield* again.pipe(Expect.gives("there is nothing to delete again", Option.none()))
  },
  *"deletes a job only if it has one of the given statuses, also while it ends"(store) {
    const remove = (number: number) =>
      store.remove(workspaceId(1), jobId(number), ["IN_QUEUE", "IN_PROGRESS"])
    yield* insertJob(makeUploadJob(1))
    yield* transcribeJob(2, everything)
    const whole = yield* readWholeJob(jobId(2))
    yield* remove(1)
    yield* remove(2).pipe(Expect.gives("a finished job is not returned", Option.none()))
    yield* readWholeJob(jobId(2)).pipe(Expect.gives("it is unchanged", whole))
    yield* listNumbers().pipe(Expect.gives("the queued job is gone", [2]))
    for (const number of upTo(20).map((each) => each + 2)) {
      const running = yield* startJob(number)
      const end = commitJob(running, {
        events: [transcriptProduced()],
        transcript: transcriptOf(["done"])
      })
      const [ended, removed] = yield* Effect.all([Effect.result(end), remove(number)], {
        concurrency: 2
      })
      yield* Expect.that("either the end or the deletion wins", Option.isSome(removed)).is(
        Result.isFailure(ended)
      )
    }
  }
})

/** A job to insert, with its workspace, its key, and the limits on unfinished jobs. */
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

/** Inserts a job, and returns a phrase for the result. */
const insert = (spec: InsertSpec) =>
  JobStore.use((store) =>
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
    yield* Expect.that("as many jobs as allowed are written", [
      countOf(outcomes, "written"),
      countOf(outcomes, "no room for the workspace")
    ]).is([3, 21])
    const ofKey = yield* atOnce(upTo(12), (number) =>
      insert({ number: 100 + number, keyNumber: 1, key: 2, workspace: 9 })
    )
    yield* Expect.that("as many jobs as allowed for a key are written", [
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
    yield* Expect.that("only one unfinished job at a time", [first, second, third]).is([
      "written",
      "no room for the workspace",
      "written"
    ])
  },
  *"checks each of many concurrent inserts against the limit given with that insert"() {
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
    yield* Expect.that("each insert gets its own answer", outcomes).is(
      specs.map(([, outcome]) => outcome)
    )
  },
  *"lets the next request use the slot that a retry does not need"() {
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
  *"answers a retry even when the limit is reached"(store) {
    const { idempotency } = makeCreation({ number: 1, name: "a" })
    yield* insert({ number: 1, name: "a", workspace: 1 })
    yield* insert({ number: 1, workspace: 1 }).pipe(
      Expect.gives("a retry is recognised by the job's id", "Superseded")
    )
    yield* store
      .insert(makeCreation({ number: 2, name: "a", workspace: 1 }))
      .pipe(Expect.gives("a retry is recognised by its key", idempotency))
  },
  *"writes nothing when it refuses a job beyond the limit"(store) {
    yield* insert({ number: 1 })
    yield* insert({ number: 2, name: "a", workspace: 1 }).pipe(
      Expect.gives("the job beyond the limit is refused", "no room for the workspace")
    )
    yield* findJob(jobId(2)).pipe(Expect.gives("there is no such job", Option.none()))
    yield* store
      .idempotency(workspaceId(1), IdempotencyKey.make("a"))
      .pipe(Expect.gives("the refused job's key is free", Option.none()))
    yield* store.history(jobId(2)).pipe(Expect.gives("the refused job has no history", []))
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
    yield* Expect.that("each count of unfinished jobs", [
      yield* count(1, null),
      yield* count(1, 1),
      yield* count(1, 2),
      yield* count(2, null),
      yield* count(3, null),
      yield* count(1, null, 2)
    ]).is([3, 1, 2, 1, 0, 2])
  }
})

const readMarker = JobStore.use(({ databaseIdentity }) =>
  Effect.map(databaseIdentity, ({ marker }) => marker)
)

export const media: Cases<JobStore> = listCases(JobStore, {
  *"contains no media marker at first, and keeps the first of several concurrent markers"(store) {
    yield* readMarker.pipe(Expect.gives("there is none at first", Option.none()))
    const markers = upTo(8).map((number) => `marker ${number}`)
    const answers = new Set(
      yield* atOnce(markers, (marker) => store.adoptMedia({ marker, isReplacing: false }))
    )
    yield* Expect.that("all callers get the same marker", answers.size).is(1)
    const [first = ""] = answers
    yield* Expect.holds("the marker is one of the written markers", markers.includes(first))
    yield* Expect.that("the marker stays", [
      yield* store.adoptMedia({ marker: "late", isReplacing: false }),
      yield* readMarker
    ]).is([first, Option.some(first)])
  },
  *"keeps the store's identity and creation time, and does not mark the store as a copy"(store) {
    const before = yield* store.databaseIdentity
    yield* store.adoptMedia({ marker: "first", isReplacing: false })
    const after = yield* store.databaseIdentity
    yield* Expect.that("the store has the same identity", after.identity).is(before.identity)
    yield* Expect.holds("the store is not marked as a copy", !before.isCopied && !after.isCopied)
    yield* Expect.that("the store was created at the same time", after.createdAt).is(
      before.createdAt
    )
    yield* Expect.holds("that time is known", after.createdAt.epochMilliseconds > 0)
  }
})
