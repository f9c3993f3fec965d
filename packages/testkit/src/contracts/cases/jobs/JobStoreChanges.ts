/**
 * The promises of a `JobStore` to those who listen: each commit is told once, at a place that
 * nothing gets in front of, and one question answers many.
 */

import { type FeedStretch, JobStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { jobId, leaseToken, upTo, workspaceId } from "../../../samples/Ids.ts"
import {
  attemptReleased,
  attemptStarted,
  transcriptProduced
} from "../../../samples/SampleEvent.ts"
import { makeUploadJob } from "../../../samples/SampleJob.ts"
import { instant } from "../../../samples/SampleWorkspace.ts"
import { claimIds, commitJob, insertJob } from "../../../samples/Stored.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import {
  both,
  commitsIn,
  look,
  lookFor,
  looksMax,
  many,
  type Needs,
  ofSecond,
  reportProgress,
  twice
} from "./FeedLooks.ts"
import { deletionCases } from "./JobStoreDeletions.ts"

/** One job. */
const jobCases: ReadonlyArray<Case<Needs>> = workspaceCases(JobStore, {
  *"tells of many jobs at once what was committed beyond the revision of each"(store) {
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
    const told = (id: number) => jobs.get(jobId(id))
    yield* Expect.that(
      "the commits are those of the histories, as far as they are wanted",
      upTo(3).map((id) => told(id)?.entries)
    ).is([
      (yield* store.history(jobId(1))).map(({ at, events, revision }) => ({
        revision,
        at,
        events: Option.some(events)
      })),
      [{ revision: 3, at: instant, events: Option.some([attemptReleased()]) }],
      undefined
    ])
    yield* Expect.that("each job stands where it is", [
      told(1)?.revision,
      told(2)?.revision,
      Option.isNone(feed)
    ]).is([first.revision, 3, true])
  },
  *"tells whether a job owes work, and how far that has come"(store) {
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
        const { owesWork, progress, revision } = jobs.get(jobId(1)) ?? {}
        return [revision, owesWork, progress]
      }
    )
    yield* standing.pipe(Expect.gives("it is at work", [2, true, Option.some(0.25)]))
    yield* commitJob(started, { events: [transcriptProduced()], token })
    yield* standing.pipe(Expect.gives("it has ended", [3, false, Option.none()]))
  }
})

/** The feed. */
const feedCases: ReadonlyArray<Case<Needs>> = workspaceCases(JobStore, {
  *"tells each commit of a workspace once, in order, from any place on"() {
    yield* both
    const { through } = yield* look({})
    const first = yield* Effect.flatMap(insertJob(makeUploadJob(1)), twice)
    yield* Effect.flatMap(insertJob(makeUploadJob(2, ofSecond)), twice)
    yield* twice(first)
    const whole = yield* lookFor(5, { after: through })
    yield* Expect.that("all of them, and no other workspace's", commitsIn(whole)).is([
      "1:1",
      "1:2",
      "1:3",
      "1:4",
      "1:5"
    ])
    for (const [index, { place }] of whole.entries.entries()) {
      yield* Expect.that(
        "from each place, those behind it",
        commitsIn(yield* look({ after: place }))
      ).is(commitsIn({ entries: whole.entries.slice(index + 1) }))
    }
    yield* Expect.that(
      "nothing behind the end",
      commitsIn(yield* look({ after: whole.through }))
    ).is([])
    yield* Expect.that(
      "both workspaces, for those who ask for both",
      commitsIn(
        yield* lookFor(8, { after: through, workspaceIds: [workspaceId(1), workspaceId(2)] })
      )
    ).is(["1:1", "1:2", "1:3", "2:1", "2:2", "2:3", "1:4", "1:5"])
  },
  *"tells a long feed in stretches, without a gap and without a repeat"() {
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
    yield* Expect.that("each of the workspace, once", told).is(
      commits.flatMap(({ workspaceId }, index) =>
        workspaceId === ofSecond.workspaceId ? [] : [`${index + 1}:1`]
      )
    )
    yield* Expect.that("and every look goes through as much as it may", looks).is(3)
  },
  *"gives nothing a place before one that was told, whoever commits meanwhile"() {
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
    yield* Expect.that("a reader was told each commit once", [...told].sort()).is(
      upTo(16)
        .flatMap((number) => upTo(3).map((revision) => `${number}:${revision}`))
        .sort()
    )
    for (const number of upTo(16)) {
      yield* Expect.that(
        "those of a job in their order",
        told.filter((each) => each.startsWith(`${number}:`))
      ).is(upTo(3).map((revision) => `${number}:${revision}`))
    }
  },
  *"says that a place is not one of its own, and where it is now"() {
    const before = yield* look({})
    yield* insertJob(makeUploadJob(1))
    const { through } = yield* lookFor(1, { after: before.through })
    const ahead = { ...through, ordinal: through.ordinal + 1_000_000 }
    for (const after of [{ ...through, mark: `${through.mark}x` }, ahead]) {
      const stretch = yield* look({ after })
      yield* Expect.that("nothing is told but that", [stretch.isContinued, stretch.entries]).is([
        false,
        []
      ])
      yield* insertJob(makeUploadJob(after === ahead ? 3 : 2))
      yield* Expect.that(
        "and it goes on from there",
        commitsIn(yield* lookFor(1, { after: stretch.through })).slice(-1)
      ).is([after === ahead ? "3:1" : "2:1"])
    }
  },
  *"says in the feed what the history says, once a text is forgotten"(store) {
    const { through } = yield* look({})
    const job = yield* Effect.flatMap(insertJob(makeUploadJob(1)), twice)
    const forgotten = { history: [{ revision: 2, events: [attemptStarted(instant)] }] }
    yield* commitJob(job, { events: [attemptStarted()], forgotten })
    const { entries } = yield* lookFor(4, { after: through })
    yield* Expect.that(
      "the same events",
      entries.map(({ entry }) => Option.map(entry, ({ events }) => events))
    ).is((yield* store.history(jobId(1))).map(({ events }) => Option.some(Option.some(events))))
  }
})

/** What is told to those who listen. */
export const changeCases: ReadonlyArray<Case<Needs>> = [...jobCases, ...feedCases, ...deletionCases]
