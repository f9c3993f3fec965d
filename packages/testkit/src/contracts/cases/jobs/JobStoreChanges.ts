/** The promises of a `JobStore` to those who follow jobs: one question answers many. */
import { JobStore, WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { jobId, leaseToken, upTo } from "../../../samples/Ids.ts"
import {
  attemptReleased,
  attemptStarted,
  transcriptProduced
} from "../../../samples/SampleEvent.ts"
import { makeUploadJob } from "../../../samples/SampleJob.ts"
import { instant, withWorkspace } from "../../../samples/SampleWorkspace.ts"
import { claimIds, commitJob, insertJob } from "../../../samples/Stored.ts"
import type { Case } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { feedCases, twice } from "./JobStoreFeed.ts"

/** One job. */
const jobCases: ReadonlyArray<Case<JobStore | WorkQueue | WorkspaceStore>> = [
  {
    title: "tells of many jobs at once what was committed beyond the revision of each",
    effect: withWorkspace(function* () {
      const store = yield* JobStore
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
      yield* Expect.that("the commits are those of the histories, as far as they are wanted", {
        actual: upTo(3).map((id) => told(id)?.entries),
        expected: [
          (yield* store.history(jobId(1))).map(({ at, events, revision }) => ({
            revision,
            at,
            events: Option.some(events)
          })),
          [{ revision: 3, at: instant, events: Option.some([attemptReleased()]) }],
          undefined
        ]
      })
      yield* Expect.that("each job stands where it is", {
        actual: [told(1)?.revision, told(2)?.revision, Option.isNone(feed)],
        expected: [first.revision, 3, true]
      })
    })
  },
  {
    title: "tells whether a job owes work, and how far that has come",
    effect: withWorkspace(function* () {
      const store = yield* JobStore
      const token = leaseToken(1)
      const job = yield* insertJob(makeUploadJob(1))
      yield* claimIds(token)
      const started = yield* commitJob(job, {
        events: [attemptStarted()],
        token,
        isLeaseKept: true
      })
      yield* progressed(token)
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
    })
  }
]

/** Reports a quarter of the work on the first job. */
const progressed = Effect.fnUntraced(function* (token: ReturnType<typeof leaseToken>) {
  const queue = yield* WorkQueue
  yield* queue.renew([{ jobId: jobId(1), token, progress: 0.25 }])
})

/** What is told to those who listen. */
export const changeCases: ReadonlyArray<Case<JobStore | WorkQueue | WorkspaceStore>> = [
  ...jobCases,
  ...feedCases
]
