/**
 * The promises of a `WorkQueue` about lanes.
 */
import { type JobStore, type Room, WorkQueue, type WorkspaceStore } from "@verbatim/core/ports"
import { DateTime, Effect } from "effect"
import { jobId, leaseToken, upTo } from "../../../samples/Ids.ts"
import { makeOwingJob, makeUploadJob } from "../../../samples/SampleJob.ts"
import { instant } from "../../../samples/SampleWorkspace.ts"
import { claimIds, fullLanes, insertJob, storeTime, takenLanes } from "../../../samples/Stored.ts"
import { type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const token = leaseToken(1)

/** Whose work is skipped. */
export const lanes: ReadonlyArray<Case<WorkQueue | JobStore | WorkspaceStore>> = workspaceCases(
  WorkQueue,
  {
    *"passes over the full lanes and no others"() {
      const receivers = [
        "https://a.example.com/in",
        "https://b.example.com/in",
        "https://a.example.com/out",
        "https://a.example.com:8443/in",
        "http://a.example.com/in",
        "https://o'hara.example.com/in"
      ]
      yield* Effect.forEach(receivers, (receiver, index) =>
        insertJob(makeOwingJob(index + 1, { kind: "Deliver", dueAt: instant, receiver }))
      )
      yield* insertJob(makeUploadJob(7))
      const busy = ["https://a.example.com", "https://o'hara.example.com", "https://c.example"]
      yield* Expect.that(
        "the others are given out",
        yield* claimIds(token, { lanes: fullLanes(busy) })
      ).is([2, 4, 5, 7].map(jobId))
      yield* claimIds(token).pipe(Expect.gives("the passed over wait", [1, 3, 6].map(jobId)))
    },
    *"reaches its limit past any number of full lanes"() {
      const now = yield* storeTime
      const due = (seconds: number) => DateTime.subtract(now, { seconds })
      const busy = upTo(50).map((number) => `https://${number}.example.com`)
      yield* Effect.forEach(busy, (lane, index) =>
        insertJob(
          makeOwingJob(index + 1, { kind: "Deliver", dueAt: due(100), receiver: `${lane}/in` })
        )
      )
      yield* Effect.forEach(upTo(3), (number) =>
        insertJob(
          makeOwingJob(50 + number, {
            kind: "Deliver",
            dueAt: due(10 - number),
            receiver: "https://free.example.com/in"
          })
        )
      )
      yield* Expect.that(
        "work behind them is found",
        yield* claimIds(token, { lanes: fullLanes(busy), limit: 4 })
      ).is([51, 52].map(jobId))
    },
    *"gives out of a lane what it has room for, the earliest, and leaves the rest free"() {
      const now = yield* storeTime
      const deliveries = ["a", "a", "b", "a", "b", "c", "a"]
      yield* Effect.forEach(deliveries, (host, index) =>
        insertJob(
          makeOwingJob(index + 1, {
            kind: "Deliver",
            dueAt: DateTime.subtract(now, { seconds: 100 - index }),
            receiver: `https://${host}.example.com/in`
          })
        )
      )
      yield* insertJob(makeOwingJob(8, { kind: "Transcribe", dueAt: now }))
      yield* insertJob(makeOwingJob(9, { kind: "Transcribe", dueAt: now }))
      const lanes = { max: 2, taken: takenLanes({ "https://b.example.com": 1 }) }
      yield* Expect.that(
        "two of a new lane, one more of another, and whatever has none",
        yield* claimIds(token, { lanes })
      ).is([1, 2, 3, 6, 8, 9].map(jobId))
      yield* Expect.that("what found no room is free", yield* claimIds(leaseToken(2))).is(
        [4, 5, 7].map(jobId)
      )
    },
    *"tells whether there may be more than it gave out"(queue) {
      const now = yield* storeTime
      yield* Effect.forEach(upTo(3), (number) =>
        insertJob(
          makeOwingJob(number, {
            kind: "Deliver",
            dueAt: now,
            receiver: "https://a.example.com/in"
          })
        )
      )
      const claim = (number: number, kinds: Room["kinds"], max = 9) =>
        Effect.map(
          queue.claim({ token: leaseToken(number), kinds, held: {}, lanes: { max, taken: {} } }),
          ({ hasMore, jobs }) => [hasMore, jobs.length]
        )
      yield* Expect.that("there may be when all slots are taken", [
        yield* claim(1, { Deliver: 0 }),
        yield* claim(2, { Deliver: 4, Transcribe: 1 }, 1),
        yield* claim(3, { Deliver: 1 }, 1),
        yield* claim(4, { Deliver: 1, Transcribe: 1 }),
        yield* claim(5, { Deliver: 1, Transcribe: 1 })
      ]).is([
        [false, 0],
        [false, 1],
        [true, 1],
        [true, 1],
        [false, 0]
      ])
    }
  }
)
