/**
 * The promises of a `WorkQueue` about busy lanes.
 */
import type { JobStore } from "@verbatim/core/ports/JobStore"
import type { WorkQueue } from "@verbatim/core/ports/WorkQueue"
import type { WorkspaceStore } from "@verbatim/core/ports/WorkspaceStore"
import { DateTime, Effect } from "effect"
import { jobId, leaseToken, upTo } from "../../samples/Ids.ts"
import { owing, uploaded } from "../../samples/SampleJob.ts"
import { founded, instant } from "../../samples/SampleWorkspace.ts"
import { claimedIds, inserted, storeTime } from "../../samples/Stored.ts"
import type { Case } from "../Contract.ts"
import * as Expect from "../Expect.ts"

const token = leaseToken(1)

/** Who is passed over. */
export const lanes: ReadonlyArray<Case<WorkQueue | JobStore | WorkspaceStore>> = [
  {
    title: "passes over the busy lanes and no others",
    effect: Effect.gen(function* () {
      yield* founded
      const receivers = [
        "https://a.example.com/in",
        "https://b.example.com/in",
        "https://a.example.com/out",
        "https://a.example.com:8443/in",
        "http://a.example.com/in",
        "https://o'hara.example.com/in"
      ]
      yield* Effect.forEach(receivers, (receiver, index) =>
        inserted(owing(index + 1, { kind: "Deliver", dueAt: instant, receiver }))
      )
      yield* inserted(uploaded(7))
      const busyLanes = ["https://a.example.com", "https://o'hara.example.com", "https://c.example"]
      yield* Expect.that("the others are given out", {
        actual: yield* claimedIds(token, { busyLanes }),
        expected: [2, 4, 5, 7].map(jobId)
      })
      yield* Expect.that("the passed over wait", {
        actual: yield* claimedIds(token),
        expected: [1, 3, 6].map(jobId)
      })
    })
  },
  {
    title: "reaches its limit past any number of busy lanes",
    effect: Effect.gen(function* () {
      yield* founded
      const now = yield* storeTime
      const due = (seconds: number) => DateTime.subtract(now, { seconds })
      const busy = upTo(50).map((number) => `https://${number}.example.com`)
      yield* Effect.forEach(busy, (lane, index) =>
        inserted(owing(index + 1, { kind: "Deliver", dueAt: due(100), receiver: `${lane}/in` }))
      )
      yield* Effect.forEach(upTo(3), (number) =>
        inserted(
          owing(50 + number, {
            kind: "Deliver",
            dueAt: due(10 - number),
            receiver: "https://free.example.com/in"
          })
        )
      )
      yield* Expect.that("work behind them is found", {
        actual: yield* claimedIds(token, { busyLanes: busy, limit: 2 }),
        expected: [51, 52].map(jobId)
      })
    })
  }
]
