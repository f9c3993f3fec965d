/** Contract cases for `JobStore` about the feed of commits and deletions. */
import type { FeedCursor, Job } from "@verbatim/core/job"
import {
  type FeedPage,
  JobStore,
  RetentionStore,
  WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import {
  attemptReleased,
  attemptStarted,
  claimIds,
  commitJob,
  insertJob,
  instant,
  jobId,
  leaseToken,
  makeUploadJob,
  transcriptProduced,
  upTo,
  workspaceId
} from "../../../samples/index.ts"
import { atOnce, type Cases, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

type Needs = JobStore | RetentionStore | WorkQueue | WorkspaceStore

/** More commits than any of these cases makes. */
const many = 1_000

/**
 * Maximum number of reads. Their round trips alone take longer than a transaction of any other
 * test.
 */
const readMax = 50_000

/** Options for a read of the feed. */
interface ReadOptions {
  readonly after?: FeedCursor | undefined
  readonly workspaceIds?: ReadonlyArray<WorkspaceId>
  readonly limit?: number
  readonly withProgress?: boolean
}

const readFeed = Effect.fnUntraced(function* ({
  after,
  limit = many,
  withProgress = false,
  workspaceIds = [workspaceId(1)]
}: ReadOptions) {
  const store = yield* JobStore
  const feed = Option.some({
    workspaceIds,
    after: Option.fromUndefinedOr(after),
    limit,
    withProgress
  })
  const found = yield* store.changes({ jobs: [], feed })
  return yield* Effect.fromOption(found.feed)
})

/**
 * Reads until a page has at least this many commits, because an open transaction of another test on
 * the same server can delay them.
 */
const readAtLeast = Effect.fnUntraced(function* (count: number, wanted: ReadOptions) {
  let page = yield* readFeed(wanted)
  for (let reads = 0; reads < readMax && page.entries.length < count; reads += 1) {
    yield* Effect.yieldNow
    page = yield* readFeed(wanted)
  }
  return page
})

/** Returns the job's number and the revision of each commit on a page. */
const commitsIn = ({ entries }: Pick<FeedPage, "entries">) =>
  entries.map(({ entry, jobId }) => {
    const what = Option.match(entry, { onNone: () => "deleted", onSome: (each) => each.revision })
    return `${Number.parseInt(jobId.slice(-4), 16)}:${what}`
  })

/** Reads all pages in order. */
const readThrough = Effect.fnUntraced(function* (wanted: ReadOptions) {
  let page = yield* readFeed(wanted)
  const received = [...commitsIn(page)]
  let reads = 1
  for (; page.hasMore && reads < many; reads += 1) {
    page = yield* readFeed({ ...wanted, after: page.through })
    received.push(...commitsIn(page))
  }
  return { reads, received }
})

/** Starts an attempt on a job and returns the attempt. */
const twice = Effect.fnUntraced(function* (job: Job) {
  const started = yield* commitJob(job, { events: [attemptStarted()] })
  return yield* commitJob(started, { events: [attemptReleased()] })
})

const token = leaseToken(1)

/** Starts the first job under a lease, and reports a quarter of its progress. */
const startReporting = Effect.gen(function* () {
  const queue = yield* WorkQueue
  const job = yield* insertJob(makeUploadJob(1))
  yield* claimIds(token)
  const begun = { events: [attemptStarted()], token, isLeaseKept: true }
  const started = yield* commitJob(job, begun)
  yield* queue.renew([{ jobId: jobId(1), token, progress: 0.25 }])
  return started
})

const jobCases: Cases<Needs> = workspaceCases(JobStore, {
  *"returns each job's commits after the revision given for that job"(store) {
    const first = yield* Effect.flatMap(insertJob(makeUploadJob(1)), twice)
    yield* Effect.flatMap(insertJob(makeUploadJob(2)), twice)
    const { feed, jobs } = yield* store.changes({
      jobs: [
        { id: jobId(1), beyond: 0 },
        { id: jobId(2), beyond: 2 },
        { id: jobId(3), beyond: 0 }
      ],
      feed: Option.none()
    })
    const received = (id: number) => jobs.get(jobId(id))
    yield* Expect.that(
      "the commits are those of the histories after the given revisions",
      upTo(3).map((id) => received(id)?.entries)
    ).is([
      (yield* store.history(jobId(1))).map(({ at, events, revision }) => ({
        revision,
        at,
        events: Option.some(events)
      })),
      [{ revision: 3, at: instant, events: Option.some([attemptReleased()]) }],
      undefined
    ])
    yield* Expect.that("each job has its own revision", [
      received(1)?.revision,
      received(2)?.revision,
      Option.isNone(feed)
    ]).is([first.revision, 3, true])
  },
  *"returns a job's progress, and whether it has pending work"(store) {
    const started = yield* startReporting
    const standing = Effect.map(
      store.changes({ jobs: [{ id: jobId(1), beyond: 9 }], feed: Option.none() }),
      ({ jobs }) => {
        const { hasPendingWork, progress, revision } = jobs.get(jobId(1)) ?? {}
        return [revision, hasPendingWork, progress]
      }
    )
    yield* standing.pipe(Expect.gives("the job is running", [2, true, Option.some(0.25)]))
    yield* commitJob(started, { events: [transcriptProduced()], token })
    yield* standing.pipe(Expect.gives("the job has ended", [3, false, Option.none()]))
  }
})

const both = upTo(2).map(workspaceId)

/** A commit or deletion in the feed. A deletion replaces all of its job's commits. */
interface Entry {
  readonly owner: number
  readonly number: number
  readonly what: string
  readonly place: number
}

const addEntry = (
  entries: ReadonlyArray<Entry>,
  added: Omit<Entry, "place" | "what">,
  what: string
): ReadonlyArray<Entry> => [
  ...entries,
  { ...added, what: `${added.number}:${what}`, place: (entries.at(-1)?.place ?? 0) + 1 }
]

/** Inserts jobs into two workspaces, and commits to one job in each. Returns the expected feed. */
const fillFeed = Effect.gen(function* () {
  let entries: ReadonlyArray<Entry> = []
  for (const number of [11, 12, 13, 14, 15, 16]) {
    const owner = number % 3 === 0 ? 2 : 1
    const job = yield* insertJob(makeUploadJob(number, { workspaceId: workspaceId(owner) }))
    entries = addEntry(entries, { owner, number }, "1")
    if (number === 11 || number === 12) {
      yield* twice(job)
      for (const revision of ["2", "3"]) entries = addEntry(entries, { owner, number }, revision)
    }
  }
  return entries
})

/** Deletes jobs in all possible ways, inserts another one, and returns the expected feed. */
const changeFeed = Effect.fnUntraced(function* (half: ReadonlyArray<Entry>) {
  const store = yield* JobStore
  const retention = yield* RetentionStore
  let entries = half
  const remove = (owner: number, number: number) => {
    entries = addEntry(
      entries.filter((each) => each.number !== number),
      { owner, number },
      "deleted"
    )
    return store.remove(workspaceId(owner), jobId(number))
  }
  yield* store.remove(workspaceId(2), jobId(11))
  yield* remove(1, 11)
  yield* store.remove(workspaceId(1), jobId(11))
  yield* remove(2, 15)
  yield* retention.remove(workspaceId(1), [{ id: jobId(13), revision: 1 }])
  yield* remove(1, 13)
  // This job's id is lower, so at the same position the job would precede the deleted one.
  yield* insertJob(makeUploadJob(1))
  return addEntry(entries, { owner: 1, number: 1 }, "1")
})

const feedCases: Cases<Needs> = workspaceCases(JobStore, {
  *"returns each of a workspace's commits and deletions after a cursor once, in order"(store) {
    const { through } = yield* readFeed({})
    const half = yield* fillFeed
    const middle = yield* readAtLeast(half.length, { after: through, workspaceIds: both })
    const all = yield* changeFeed(half)
    const last = yield* readAtLeast(all.length, { after: through, workspaceIds: both })
    const starts = [
      { after: through, place: 0 },
      ...middle.entries.map(({ cursor }, at) => ({ after: cursor, place: half[at]?.place ?? 0 })),
      { after: last.through, place: Number.POSITIVE_INFINITY }
    ]
    for (const { after, place } of starts) {
      for (const workspaceIds of [both, both.slice(0, 1), both.slice(1)]) {
        const expected = all.filter(
          (each) => each.place > place && workspaceIds.includes(workspaceId(each.owner))
        )
        for (const limit of [1, 5]) {
          const { reads, received } = yield* readThrough({ after, workspaceIds, limit })
          yield* Expect.that(`${limit} at a time after ${place}`, received).is(
            expected.map(({ what }) => what)
          )
          yield* Expect.holds("pages are full", reads <= Math.ceil(all.length / limit) + 1)
        }
      }
    }
    yield* store.history(jobId(11)).pipe(Expect.gives("nothing else is left of a deleted job", []))
  },
  *"places every new commit after all commits already read, even with concurrent writers"() {
    const { through } = yield* readFeed({})
    const jobs = yield* Effect.forEach(upTo(16), (number) => insertJob(makeUploadJob(number)))
    const received: Array<string> = []
    const follow = Effect.gen(function* () {
      let cursor = through
      for (let reads = 0; reads < readMax && received.length < 16 * 3; reads += 1) {
        const page = yield* readFeed({ after: cursor, limit: 7 })
        received.push(...commitsIn(page))
        cursor = page.through
        yield* Effect.yieldNow
      }
    })
    yield* Effect.all([atOnce(jobs, twice), follow], { concurrency: "unbounded" })
    yield* Expect.that("the reader received each commit once", [...received].sort()).is(
      upTo(16)
        .flatMap((number) => upTo(3).map((revision) => `${number}:${revision}`))
        .sort()
    )
    for (const number of upTo(16)) {
      yield* Expect.that(
        "the commits of each job in order",
        received.filter((each) => each.startsWith(`${number}:`))
      ).is(upTo(3).map((revision) => `${number}:${revision}`))
    }
  },
  *"reports a reset for a cursor from another feed, and returns the current cursor"() {
    const before = yield* readFeed({})
    yield* insertJob(makeUploadJob(1))
    const { through } = yield* readAtLeast(1, { after: before.through })
    const ahead = { ...through, ordinal: through.ordinal + 1_000_000 }
    for (const after of [{ ...through, feedId: `${through.feedId}x` }, ahead]) {
      const page = yield* readFeed({ after })
      yield* Expect.that("only the reset is returned", [page.isContinued, page.entries]).is([
        false,
        []
      ])
      yield* insertJob(makeUploadJob(after === ahead ? 3 : 2))
      yield* Expect.that(
        "reading resumes from the current cursor",
        commitsIn(yield* readAtLeast(1, { after: page.through })).slice(-1)
      ).is([after === ahead ? "3:1" : "2:1"])
    }
  },
  *"shows the same events in the feed and the history after a job's text is erased"(store) {
    const { through } = yield* readFeed({})
    const job = yield* Effect.flatMap(insertJob(makeUploadJob(1)), twice)
    const forgotten = { history: [{ revision: 2, events: [attemptStarted(instant)] }] }
    yield* commitJob(job, { events: [attemptStarted()], forgotten })
    const { entries } = yield* readAtLeast(4, { after: through })
    yield* Expect.that(
      "the feed has the events of the history",
      entries.map(({ entry }) => Option.map(entry, ({ events }) => events))
    ).is((yield* store.history(jobId(1))).map(({ events }) => Option.some(Option.some(events))))
  }
})

const progressCases: Cases<Needs> = workspaceCases(JobStore, {
  *"returns the progress of running jobs on request, and only to their own workspace"() {
    const started = yield* startReporting
    yield* insertJob(makeUploadJob(2, { workspaceId: workspaceId(2) }))
    const received = (wanted: ReadOptions) =>
      Effect.map(readFeed(wanted), ({ progress }) => progress)
    const made = [{ jobId: jobId(1), workspaceId: workspaceId(1), progress: 0.25 }]
    yield* received({ withProgress: true }).pipe(Expect.gives("the progress of its own job", made))
    yield* received({ withProgress: true, workspaceIds: [workspaceId(2)] }).pipe(
      Expect.gives("no progress for other workspaces", [])
    )
    yield* received({}).pipe(Expect.gives("no progress without a request for it", []))
    yield* commitJob(started, { events: [transcriptProduced()], token })
    yield* received({ withProgress: true }).pipe(
      Expect.gives("no progress once the job has ended", [])
    )
  }
})

export const changeCases: Cases<Needs> = [...jobCases, ...feedCases, ...progressCases]
