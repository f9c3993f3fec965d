/** The promises of a `JobStore` to those who listen: deletions are told, and progress. */
import { JobStore, RetentionStore } from "@verbatim/core/ports"
import { Effect } from "effect"
import { jobId, leaseToken, upTo, workspaceId } from "../../../samples/Ids.ts"
import { attemptStarted, transcriptProduced } from "../../../samples/SampleEvent.ts"
import { makeUploadJob } from "../../../samples/SampleJob.ts"
import { claimIds, commitJob, insertJob } from "../../../samples/Stored.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import {
  both,
  commitsIn,
  type Look,
  look,
  lookFor,
  many,
  type Needs,
  ofSecond,
  reportProgress,
  twice
} from "./FeedLooks.ts"

/** What is told of jobs that are deleted, or at work. */
export const deletionCases: ReadonlyArray<Case<Needs>> = workspaceCases(JobStore, {
  *"tells that a job was deleted in place of its commits, and gives its places to no others"(
    store
  ) {
    const { through } = yield* look({})
    const job = yield* insertJob(makeUploadJob(2))
    const { entries } = yield* lookFor(1, { after: through })
    yield* twice(job)
    yield* store.remove(workspaceId(1), jobId(2))
    const told = yield* lookFor(1, { after: entries[0]?.place })
    yield* Expect.that("whoever has heard of it hears that it is gone", commitsIn(told)).is([
      "2:deleted"
    ])
    yield* Expect.that(
      "and so does whoever has not",
      commitsIn(yield* look({ after: through }))
    ).is(["2:deleted"])
    yield* Expect.that("once", commitsIn(yield* look({ after: told.entries[0]?.place }))).is([])
    // Its id is smaller: at the same place it would come before the one that was deleted.
    yield* insertJob(makeUploadJob(1))
    yield* Expect.that(
      "the next one comes behind it",
      commitsIn(yield* lookFor(1, { after: told.entries[0]?.place }))
    ).is(["1:1"])
  },
  *"tells each deletion to its workspace alone, once, in stretches, among the commits"(store) {
    yield* both
    const retention = yield* RetentionStore
    const { through } = yield* look({})
    const jobs = yield* Effect.forEach(upTo(6), (number) =>
      insertJob(makeUploadJob(number, number > 4 ? ofSecond : {}))
    )
    yield* lookFor(4, { after: through })
    yield* store.remove(workspaceId(2), jobId(1))
    yield* store.remove(workspaceId(1), jobId(1))
    yield* store.remove(workspaceId(1), jobId(1))
    yield* retention.remove(
      workspaceId(1),
      jobs.slice(1, 3).map(({ id, revision }) => ({ id, revision }))
    )
    yield* store.remove(workspaceId(2), jobId(5))
    const all = upTo(2).map(workspaceId)
    const whole = yield* lookFor(6, { after: through, workspaceIds: all })
    yield* Expect.that("what stayed comes first, in its order", commitsIn(whole)).is([
      "4:1",
      "6:1",
      "1:deleted",
      "2:deleted",
      "3:deleted",
      "5:deleted"
    ])
    yield* Expect.that("nothing of others", commitsIn(yield* look({ after: through }))).is([
      "4:1",
      "1:deleted",
      "2:deleted",
      "3:deleted"
    ])
    const told: Array<string> = []
    let stretch = yield* look({ after: through, limit: 1, workspaceIds: all })
    told.push(...commitsIn(stretch))
    for (let looks = 0; looks < many && stretch.hasMore; looks += 1) {
      stretch = yield* look({ after: stretch.through, limit: 1, workspaceIds: all })
      told.push(...commitsIn(stretch))
    }
    yield* Expect.that("the same one by one", told).is(commitsIn(whole))
  },
  *"tells of the progress of jobs at work, to their workspaces, where it is asked for"() {
    yield* both
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
    const told = (wanted: Look) => Effect.map(look(wanted), ({ progress }) => progress)
    const made = [{ jobId: jobId(1), workspaceId: workspaceId(1), progress: 0.25 }]
    yield* told({ withProgress: true }).pipe(Expect.gives("that of its job", made))
    yield* told({ withProgress: true, workspaceIds: [workspaceId(2)] }).pipe(
      Expect.gives("nothing to others", [])
    )
    yield* told({}).pipe(Expect.gives("nothing where nobody asks", []))
    yield* commitJob(started, { events: [transcriptProduced()], token })
    yield* told({ withProgress: true }).pipe(Expect.gives("nothing once it has ended", []))
  }
})
