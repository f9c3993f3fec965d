/** Contract cases for `JobStore` about the feed. */
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
 * Maximum number of reads. Their round trips alone take longer than any other test's transaction.
 */
const readMax = 50_000

/** Options for a read of the feed. */
interface ReadOptions {
  readonly after?: FeedCursor | undefined
  readonly workspaceIds?: ReadonlyArray<WorkspaceId>
  readonly limit?: number
  readonly withProgress?: boolean
}

/** Reads a page of the feed. */
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
 * Reads until a page has at least the given number of commits, because another test's open
 * transaction on the same server can delay commits.
 */
const readAtLeast = Effect.fnUntraced(function* (count: number, wanted: ReadOptions) {
  let page = yield* readFeed(wanted)
  for (let reads = 0; reads < readMax && page.entries.length < count; reads += 1) {
    yield* Effect.yieldNow
    page = yield* readFeed(wanted)
  }
  return page
})

/** Returns each commit of a page as its job's number and its revision. */
const commitsIn = ({ entries }: Pick<FeedPage, "entries">) =>
  entries.map(({ entry, jobId }) => {
    const what = Option.match(entry, { onNone: () => "deleted", onSome: (each) => each.revision })
    return `${Number.parseInt(jobId.slice(-4), 16)}:${what}`
  })

/** Reads page after page until the end. */
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

/** Starts an attempt and returns it. */
const twice = Effect.fnUntraced(function* (job: Job) {
  const started = yield* commitJob(job, { events: [attemptStarted()] })
  return yield* commitJob(started, { events: [attemptReleased()] })
})

/** The id of the second workspace. */
const ofSecond = { workspaceId: workspaceId(2) }

/** Reports a quarter of the first job's work as done. */
const reportProgress = Effect.fnUntraced(function* (token: ReturnType<typeof leaseToken>) {
  const queue = yield* WorkQueue
  yield* queue.renew([{ jobId: jobId(1), token, progress: 0.25 }])
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
    yield* Expect.that("each job has its revision", [
      received(1)?.revision,
      received(2)?.revision,
      Option.isNone(feed)
    ]).is([first.revision, 3, true])
  },
  *"returns a job's progress, and whether it has pending work"(store) {
    const token = leaseToken(1)
    const job = yield* insertJob(makeUploadJob(1))
    yield* claimIds(token)
    const started = yield* commitJob(job, {
      events: [attemptStarted()],
      token,
      isLeaseKept: true
    })
    yield* reportProgress(token)
    const standing = Effect.map(
      store.changes({ jobs: [{ id: jobId(1), beyond: 9 }], feed: Option.none() }),
      ({ jobs }) => {
        const { hasPendingWork, progress, revision } = jobs.get(jobId(1)) ?? {}
        return [revision, hasPendingWork, progress]
      }
    )
    yield* standing.pipe(Expect.gives("it is running", [2, true, Option.some(0.25)]))
    yield* commitJob(started, { events: [transcriptProduced()], token })
    yield* standing.pipe(Expect.gives("it has ended", [3, false, Option.none()]))
  }
})

const feedCases: Cases<Needs> = workspaceCases(JobStore, {
  *"returns each commit of a workspace once, in order, from any cursor"() {
    const { through } = yield* readFeed({})
    const first = yield* Effect.flatMap(insertJob(makeUploadJob(1)), twice)
    yield* Effect.flatMap(insertJob(makeUploadJob(2, ofSecond)), twice)
    yield* twice(first)
    const whole = yield* readAtLeast(5, { after: through })
    yield* Expect.that("all of this workspace, none of others", commitsIn(whole)).is([
      "1:1",
      "1:2",
      "1:3",
      "1:4",
      "1:5"
    ])
    for (const [index, { cursor }] of whole.entries.entries()) {
      yield* Expect.that(
        "from each cursor, the commits after it",
        commitsIn(yield* readFeed({ after: cursor }))
      ).is(commitsIn({ entries: whole.entries.slice(index + 1) }))
    }
    yield* Expect.that(
      "nothing after the end",
      commitsIn(yield* readFeed({ after: whole.through }))
    ).is([])
    yield* Expect.that(
      "both workspaces, when both are requested",
      commitsIn(
        yield* readAtLeast(8, { after: through, workspaceIds: [workspaceId(1), workspaceId(2)] })
      )
    ).is(["1:1", "1:2", "1:3", "2:1", "2:2", "2:3", "1:4", "1:5"])
  },
  *"returns a long feed page by page, without gaps or repeats"() {
    const { through } = yield* readFeed({})
    const commits = yield* Effect.forEach(upTo(12), (number) =>
      insertJob(makeUploadJob(number, number % 3 === 0 ? ofSecond : {}))
    )
    yield* readAtLeast(8, { after: through })
    const { reads, received } = yield* readThrough({ after: through, limit: 5 })
    yield* Expect.that("each of the workspace, once", received).is(
      commits.flatMap(({ workspaceId }, index) =>
        workspaceId === ofSecond.workspaceId ? [] : [`${index + 1}:1`]
      )
    )
    yield* Expect.that("every read returns a full page", reads).is(3)
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
  *"reports a reset for a cursor of another feed, and returns the current cursor"() {
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
        "and reading resumes from there",
        commitsIn(yield* readAtLeast(1, { after: page.through })).slice(-1)
      ).is([after === ahead ? "3:1" : "2:1"])
    }
  },
  *"shows the same events in the feed and the history after a text is erased"(store) {
    const { through } = yield* readFeed({})
    const job = yield* Effect.flatMap(insertJob(makeUploadJob(1)), twice)
    const forgotten = { history: [{ revision: 2, events: [attemptStarted(instant)] }] }
    yield* commitJob(job, { events: [attemptStarted()], forgotten })
    const { entries } = yield* readAtLeast(4, { after: through })
    yield* Expect.that(
      "the same events",
      entries.map(({ entry }) => Option.map(entry, ({ events }) => events))
    ).is((yield* store.history(jobId(1))).map(({ events }) => Option.some(Option.some(events))))
  }
})

const deletionCases: Cases<Needs> = workspaceCases(JobStore, {
  *"replaces a deleted job's commits with the deletion, and never reuses a position"(store) {
    const { through } = yield* readFeed({})
    const job = yield* insertJob(makeUploadJob(2))
    const { entries } = yield* readAtLeast(1, { after: through })
    yield* twice(job)
    yield* store.remove(workspaceId(1), jobId(2))
    const received = yield* readAtLeast(1, { after: entries[0]?.cursor })
    yield* Expect.that("a reader that knows the job gets its deletion", commitsIn(received)).is([
      "2:deleted"
    ])
    yield* Expect.that(
      "a reader that did not know the job gets the deletion",
      commitsIn(yield* readFeed({ after: through }))
    ).is(["2:deleted"])
    yield* Expect.that(
      "once",
      commitsIn(yield* readFeed({ after: received.entries[0]?.cursor }))
    ).is([])
    // This job has a lower id, so it would precede the deleted job at the same position.
    yield* insertJob(makeUploadJob(1))
    yield* Expect.that(
      "the next one comes after it",
      commitsIn(yield* readAtLeast(1, { after: received.entries[0]?.cursor }))
    ).is(["1:1"])
  },
  *"returns each deletion once, page by page, only to the job's workspace"(store) {
    const retention = yield* RetentionStore
    const { through } = yield* readFeed({})
    const jobs = yield* Effect.forEach(upTo(6), (number) =>
      insertJob(makeUploadJob(number, number > 4 ? ofSecond : {}))
    )
    yield* readAtLeast(4, { after: through })
    yield* store.remove(workspaceId(2), jobId(1))
    yield* store.remove(workspaceId(1), jobId(1))
    yield* store.remove(workspaceId(1), jobId(1))
    yield* retention.remove(
      workspaceId(1),
      jobs.slice(1, 3).map(({ id, revision }) => ({ id, revision }))
    )
    yield* store.remove(workspaceId(2), jobId(5))
    const all = upTo(2).map(workspaceId)
    const whole = yield* readAtLeast(6, { after: through, workspaceIds: all })
    yield* Expect.that("commits of remaining jobs come first, in order", commitsIn(whole)).is([
      "4:1",
      "6:1",
      "1:deleted",
      "2:deleted",
      "3:deleted",
      "5:deleted"
    ])
    yield* Expect.that(
      "nothing of other workspaces",
      commitsIn(yield* readFeed({ after: through }))
    ).is(["4:1", "1:deleted", "2:deleted", "3:deleted"])
    const { received } = yield* readThrough({ after: through, limit: 1, workspaceIds: all })
    yield* Expect.that("the same one by one", received).is(commitsIn(whole))
  },
  *"returns the progress of running jobs on request, only to the jobs' workspace"() {
    const token = leaseToken(1)
    const job = yield* insertJob(makeUploadJob(1))
    yield* insertJob(makeUploadJob(2, ofSecond))
    yield* claimIds(token)
    const started = yield* commitJob(job, {
      events: [attemptStarted()],
      token,
      isLeaseKept: true
    })
    yield* reportProgress(token)
    const received = (wanted: ReadOptions) =>
      Effect.map(readFeed(wanted), ({ progress }) => progress)
    const made = [{ jobId: jobId(1), workspaceId: workspaceId(1), progress: 0.25 }]
    yield* received({ withProgress: true }).pipe(Expect.gives("the progress of its own job", made))
    yield* received({ withProgress: true, workspaceIds: [workspaceId(2)] }).pipe(
      Expect.gives("none for other workspaces", [])
    )
    yield* received({}).pipe(Expect.gives("none without a request for it", []))
    yield* commitJob(started, { events: [transcriptProduced()], token })
    yield* received({ withProgress: true }).pipe(Expect.gives("none once it has ended", []))
  }
})

export const changeCases: Cases<Needs> = [...jobCases, ...feedCases, ...deletionCases]
