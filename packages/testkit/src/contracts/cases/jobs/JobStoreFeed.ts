/**
 * The promises of a `JobStore` to those who listen to workspaces: each commit is told once, at a
 * place that nothing gets in front of.
 */
import type { FeedPlace, Job } from "@verbatim/core/job"
import {
  type FeedStretch,
  JobStore,
  type WorkQueue,
  type WorkspaceStore
} from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import { jobId, upTo, workspaceId } from "../../../samples/Ids.ts"
import { attemptReleased, attemptStarted } from "../../../samples/SampleEvent.ts"
import { makeUploadJob } from "../../../samples/SampleJob.ts"
import {
  foundFirst,
  foundWorkspace,
  instant,
  withWorkspace
} from "../../../samples/SampleWorkspace.ts"
import { commitJob, insertJob } from "../../../samples/Stored.ts"
import { atOnce, type Case } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

/** More than any case commits. */
const many = 1_000

/** Takes longer than any transaction of another test, where a look is a round trip. */
const looksMax = 50_000

interface Look {
  readonly after?: FeedPlace | undefined
  readonly workspaceIds?: ReadonlyArray<WorkspaceId>
  readonly limit?: number
}

/** A stretch of the feed. */
const look = Effect.fnUntraced(function* ({
  after,
  limit = many,
  workspaceIds = [workspaceId(1)]
}: Look) {
  const store = yield* JobStore
  const feed = Option.some({ workspaceIds, after: Option.fromUndefinedOr(after), limit })
  const found = yield* store.changes({ jobs: [], feed })
  return yield* Effect.fromOption(found.feed)
})

/**
 * A stretch with at least so many commits: a transaction that somebody else leaves open on the same
 * server may hold them back.
 */
const lookFor = Effect.fnUntraced(function* (count: number, wanted: Look) {
  let stretch = yield* look(wanted)
  for (let looks = 0; looks < looksMax && stretch.entries.length < count; looks += 1) {
    yield* Effect.yieldNow
    stretch = yield* look(wanted)
  }
  return stretch
})

/** Each commit of a stretch, as the number of its job and its revision. */
const commitsIn = ({ entries }: Pick<FeedStretch, "entries">) =>
  entries.map(({ entry, jobId }) => `${Number.parseInt(jobId.slice(-4), 16)}:${entry.revision}`)

/** Starts an attempt and ends it as it began. */
export const twice = Effect.fnUntraced(function* (job: Job) {
  const started = yield* commitJob(job, { events: [attemptStarted()] })
  return yield* commitJob(started, { events: [attemptReleased()] })
})

/** Two workspaces. */
const both = Effect.andThen(foundFirst, foundWorkspace(2))

const ofSecond = { workspaceId: workspaceId(2) }

/** The feed. */
export const feedCases: ReadonlyArray<Case<JobStore | WorkQueue | WorkspaceStore>> = [
  {
    title: "tells each commit of a workspace once, in order, from any place on",
    effect: Effect.gen(function* () {
      yield* both
      const { through } = yield* look({})
      const first = yield* Effect.flatMap(insertJob(makeUploadJob(1)), twice)
      yield* Effect.flatMap(insertJob(makeUploadJob(2, ofSecond)), twice)
      yield* twice(first)
      const whole = yield* lookFor(5, { after: through })
      yield* Expect.that("all of them, and no other workspace's", {
        actual: commitsIn(whole),
        expected: ["1:1", "1:2", "1:3", "1:4", "1:5"]
      })
      for (const [index, { place }] of whole.entries.entries()) {
        yield* Expect.that("from each place, those behind it", {
          actual: commitsIn(yield* look({ after: place })),
          expected: commitsIn({ entries: whole.entries.slice(index + 1) })
        })
      }
      yield* Expect.that("nothing behind the end", {
        actual: commitsIn(yield* look({ after: whole.through })),
        expected: []
      })
      yield* Expect.that("both workspaces, for those who ask for both", {
        actual: commitsIn(
          yield* lookFor(8, { after: through, workspaceIds: [workspaceId(1), workspaceId(2)] })
        ),
        expected: ["1:1", "1:2", "1:3", "2:1", "2:2", "2:3", "1:4", "1:5"]
      })
    })
  },
  {
    title: "tells a long feed in stretches, without a gap and without a repeat",
    effect: Effect.gen(function* () {
      yield* both
      const { through } = yield* look({})
      const commits = yield* Effect.forEach(upTo(12), (number) =>
        insertJob(makeUploadJob(number, number % 3 === 0 ? ofSecond : {}))
      )
      yield* lookFor(8, { after: through })
      const told: Array<string> = []
      let stretch: FeedStretch = yield* look({ after: through, limit: 5 })
      let looks = 1
      told.push(...commitsIn(stretch))
      while (stretch.hasMore && looks < many) {
        stretch = yield* look({ after: stretch.through, limit: 5 })
        told.push(...commitsIn(stretch))
        looks += 1
      }
      yield* Expect.that("each of the workspace, once", {
        actual: told,
        expected: commits.flatMap(({ workspaceId }, index) =>
          workspaceId === ofSecond.workspaceId ? [] : [`${index + 1}:1`]
        )
      })
      yield* Expect.that("and every look goes through as much as it may", {
        actual: looks,
        expected: 3
      })
    })
  },
  {
    title: "gives nothing a place before one that was told, whoever commits meanwhile",
    effect: withWorkspace(function* () {
      const { through } = yield* look({})
      const jobs = yield* Effect.forEach(upTo(16), (number) => insertJob(makeUploadJob(number)))
      const told: Array<string> = []
      const follow = Effect.gen(function* () {
        let place = through
        for (let looks = 0; looks < looksMax && told.length < 16 * 3; looks += 1) {
          const stretch = yield* look({ after: place, limit: 7 })
          told.push(...commitsIn(stretch))
          place = stretch.through
          yield* Effect.yieldNow
        }
      })
      yield* Effect.all([atOnce(jobs, twice), follow], { concurrency: "unbounded" })
      yield* Expect.that("a reader was told each commit once", {
        actual: [...told].sort(),
        expected: upTo(16)
          .flatMap((number) => upTo(3).map((revision) => `${number}:${revision}`))
          .sort()
      })
      for (const number of upTo(16)) {
        yield* Expect.that("those of a job in their order", {
          actual: told.filter((each) => each.startsWith(`${number}:`)),
          expected: upTo(3).map((revision) => `${number}:${revision}`)
        })
      }
    })
  },
  {
    title: "says that a place is not one of its own, and where it is now",
    effect: withWorkspace(function* () {
      const before = yield* look({})
      yield* insertJob(makeUploadJob(1))
      const { through } = yield* lookFor(1, { after: before.through })
      const ahead = { ...through, ordinal: through.ordinal + 1_000_000 }
      for (const after of [{ ...through, mark: `${through.mark}x` }, ahead]) {
        const stretch = yield* look({ after })
        yield* Expect.that("nothing is told but that", {
          actual: [stretch.isContinued, stretch.entries],
          expected: [false, []]
        })
        yield* insertJob(makeUploadJob(after === ahead ? 3 : 2))
        yield* Expect.that("and it goes on from there", {
          actual: commitsIn(yield* lookFor(1, { after: stretch.through })).slice(-1),
          expected: [after === ahead ? "3:1" : "2:1"]
        })
      }
    })
  },
  {
    title: "tells nothing of a job that was deleted, and never gives its places to others",
    effect: withWorkspace(function* () {
      const store = yield* JobStore
      const { through } = yield* look({})
      yield* insertJob(makeUploadJob(2))
      const { entries } = yield* lookFor(1, { after: through })
      yield* store.remove(workspaceId(1), jobId(2))
      yield* Expect.that("it is not in the feed", {
        actual: commitsIn(yield* look({ after: through })),
        expected: []
      })
      // Its id is smaller: at the same place it would come before the one that was deleted.
      yield* insertJob(makeUploadJob(1))
      yield* Expect.that("the next one comes behind it", {
        actual: commitsIn(yield* lookFor(1, { after: entries[0]?.place })),
        expected: ["1:1"]
      })
    })
  },
  {
    title: "says in the feed what the history says, once a text is forgotten",
    effect: withWorkspace(function* () {
      const { through } = yield* look({})
      const job = yield* Effect.flatMap(insertJob(makeUploadJob(1)), twice)
      const forgotten = { history: [{ revision: 2, events: [attemptStarted(instant)] }] }
      yield* commitJob(job, { events: [attemptStarted()], forgotten })
      const { entries } = yield* lookFor(4, { after: through })
      const store = yield* JobStore
      yield* Expect.that("the same events", {
        actual: entries.map(({ entry }) => entry.events),
        expected: (yield* store.history(jobId(1))).map(({ events }) => Option.some(events))
      })
    })
  }
]
