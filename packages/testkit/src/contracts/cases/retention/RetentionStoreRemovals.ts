/** The promises of a `RetentionStore` about removals: whole jobs, at the revision decided on. */
import { JobStore, RetentionStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { jobId, leaseToken, upTo, workspaceId } from "../../../samples/Ids.ts"
import { attemptStarted, onKeeping, transcriptProduced } from "../../../samples/SampleEvent.ts"
import { makeOldJob, makeUploadJob } from "../../../samples/SampleJob.ts"
import { transcript } from "../../../samples/SampleTranscript.ts"
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
import { type Ports } from "./Retention.ts"

/** The cases. */
export const removals: ReadonlyArray<Case<Ports>> = workspaceCases(RetentionStore, {
  *"removes jobs with all that they have but their charges, and no others"(store) {
    const jobs = yield* JobStore
    const made = yield* Effect.forEach(upTo(4), (number) =>
      Effect.gen(function* () {
        const begun = yield* commitJob(yield* insertJob(makeUploadJob(number)), {
          events: [attemptStarted()]
        })
        const events = [transcriptProduced()]
        return yield* commitJob(begun, { events, transcript, chargeMillis: 1_000 })
      })
    )
    const before = yield* balances
    const kept = yield* storedWhole(jobId(4))
    const going = made.slice(0, 3).map(({ id, revision }) => ({ id, revision }))
    const elsewhere = yield* store.remove(workspaceId(2), going)
    yield* Expect.that("another workspace has none of them", elsewhere).is([])
    const removed = yield* store.remove(workspaceId(1), [
      ...going,
      { id: jobId(4), revision: 2 },
      { id: jobId(9), revision: 1 }
    ])
    yield* Expect.that("those at their revisions went", [...removed].sort()).is(
      going.map(({ id }) => id)
    )
    for (const { id } of going) {
      yield* Expect.that("nothing is left of them", [
        (yield* jobs.history(id)).length,
        (yield* jobs.present([id])).size
      ]).is([0, 0])
      yield* jobs.transcript(id).pipe(Expect.gives("no transcript either", Option.none()))
    }
    yield* storedWhole(jobId(4)).pipe(Expect.gives("another revision stays", kept))
    yield* balances.pipe(Expect.gives("charges stay", before))
    yield* store
      .remove(workspaceId(1), going)
      .pipe(Expect.gives("a repeat finds nothing to remove", []))
    yield* store.remove(workspaceId(1), []).pipe(Expect.gives("none are none", []))
  },
  *"lets either a removal or a commit of the same revision win"(store) {
    const jobs = yield* JobStore
    const made = yield* Effect.forEach(upTo(16), (number) =>
      insertJob(makeOldJob(number, { holding: "Media" }))
    )
    const events = [onKeeping("MediaExpired")]
    const [removed, committed] = yield* Effect.all(
      [
        store.remove(
          workspaceId(1),
          made.map(({ id, revision }) => ({ id, revision }))
        ),
        atOnce(made, (job) => Effect.result(commitJob(job, { events })))
      ],
      { concurrency: "unbounded" }
    )
    for (const [index, { id, revision }] of made.entries()) {
      const isGone = removed.includes(id)
      yield* Expect.that("one of them happened", committed[index]?._tag).is(
        isGone ? "Failure" : "Success"
      )
      const found = yield* jobs.find(workspaceId(1), id)
      yield* Expect.that(
        "it is gone, or has moved on",
        Option.getOrNull(Option.map(found, (job) => job.revision))
      ).is(isGone ? null : revision + 1)
      yield* Expect.that("whole", (yield* jobs.history(id)).length).is(isGone ? 0 : 2)
    }
  },
  *"ends the lease of a job that it removes"(store) {
    const { id, revision } = yield* insertJob(makeUploadJob(1))
    yield* claimIds(leaseToken(1))
    yield* store.remove(workspaceId(1), [{ id, revision }])
    yield* renewedIds(leaseToken(1), [id]).pipe(Expect.gives("nobody holds it", []))
  }
})
