/** The promises of a `RetentionStore` about removals: whole jobs, at the revision decided on. */
import { JobStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { jobId, leaseToken, upTo, workspaceId } from "../../../samples/Ids.ts"
import { attemptStarted, onKeeping, transcriptProduced } from "../../../samples/SampleEvent.ts"
import { makeOldJob, makeUploadJob } from "../../../samples/SampleJob.ts"
import { transcript } from "../../../samples/SampleTranscript.ts"
import { withWorkspace } from "../../../samples/SampleWorkspace.ts"
import {
  balances,
  claimIds,
  commitJob,
  insertJob,
  renewedIds,
  storedWhole
} from "../../../samples/Stored.ts"
import { atOnce, type Case } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"
import { type Ports, retention } from "./Retention.ts"

/** The cases. */
export const removals: ReadonlyArray<Case<Ports>> = [
  {
    title: "removes jobs with all that they have but their charges, and no others",
    effect: withWorkspace(function* () {
      const [jobs, store] = [yield* JobStore, yield* retention]
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
      yield* Expect.that("another workspace has none of them", { actual: elsewhere, expected: [] })
      const removed = yield* store.remove(workspaceId(1), [
        ...going,
        { id: jobId(4), revision: 2 },
        { id: jobId(9), revision: 1 }
      ])
      yield* Expect.that("those at their revisions went", {
        actual: [...removed].sort(),
        expected: going.map(({ id }) => id)
      })
      for (const { id } of going) {
        yield* Expect.that("nothing is left of them", {
          actual: [(yield* jobs.history(id)).length, (yield* jobs.present([id])).size],
          expected: [0, 0]
        })
        yield* jobs.transcript(id).pipe(Expect.gives("no transcript either", Option.none()))
      }
      yield* storedWhole(jobId(4)).pipe(Expect.gives("another revision stays", kept))
      yield* balances.pipe(Expect.gives("charges stay", before))
      yield* store
        .remove(workspaceId(1), going)
        .pipe(Expect.gives("a repeat finds nothing to remove", []))
      yield* store.remove(workspaceId(1), []).pipe(Expect.gives("none are none", []))
    })
  },
  {
    title: "lets either a removal or a commit of the same revision win",
    effect: withWorkspace(function* () {
      const [jobs, store] = [yield* JobStore, yield* retention]
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
        yield* Expect.that("one of them happened", {
          actual: committed[index]?._tag,
          expected: isGone ? "Failure" : "Success"
        })
        const found = yield* jobs.find(workspaceId(1), id)
        yield* Expect.that("it is gone, or has moved on", {
          actual: Option.getOrNull(Option.map(found, (job) => job.revision)),
          expected: isGone ? null : revision + 1
        })
        yield* Expect.that("whole", {
          actual: (yield* jobs.history(id)).length,
          expected: isGone ? 0 : 2
        })
      }
    })
  },
  {
    title: "ends the lease of a job that it removes",
    effect: withWorkspace(function* () {
      const store = yield* retention
      const { id, revision } = yield* insertJob(makeUploadJob(1))
      yield* claimIds(leaseToken(1))
      yield* store.remove(workspaceId(1), [{ id, revision }])
      yield* renewedIds(leaseToken(1), [id]).pipe(Expect.gives("nobody holds it", []))
    })
  }
]
