/** Commits of one job that are asked for at the same time, each answered for itself. */
import { assert, describe, it } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports/JobStore"
import { jobId, leaseToken, upTo } from "@verbatim/testkit/samples/Ids"
import { retried, started } from "@verbatim/testkit/samples/SampleEvent"
import { commitOf, uploaded } from "@verbatim/testkit/samples/SampleJob"
import { founded, instant } from "@verbatim/testkit/samples/SampleWorkspace"
import { claimed, committed, inserted } from "@verbatim/testkit/samples/Stored"
import { Effect, Ref } from "effect"
import { Statement } from "effect/sql"
import { onServer } from "./TemporarySchema.ts"

const [holder, stranger] = [leaseToken(1), leaseToken(2)]

describe("Commits of one job on Postgres", () => {
  it.live("are never in one statement", () =>
    Effect.gen(function* () {
      yield* founded
      const store = yield* JobStore
      yield* inserted(uploaded(1))
      yield* claimed(holder)
      const job = yield* committed(uploaded(1), {
        events: [started()],
        token: holder,
        isLeaseKept: true
      })
      const jobsOf = yield* Ref.make(0)
      const seen: Statement.Transformer = (statement) => {
        const [, parameters] = statement.compile()
        const occurrences = parameters.map((value) => String(value).split('"job_id":').length - 1)
        return Effect.as(
          Ref.update(jobsOf, (before) => Math.max(before, ...occurrences)),
          statement
        )
      }
      const outcomes = yield* Effect.forEach(
        upTo(8),
        (number) =>
          Effect.result(
            store.commit(
              commitOf(job, {
                events: [retried(instant)],
                token: number === 5 ? holder : stranger
              })
            )
          ),
        { concurrency: "unbounded" }
      ).pipe(Effect.provideService(Statement.CurrentTransformer, seen))
      assert.deepStrictEqual(
        outcomes.flatMap(({ _tag }, index) => (_tag === "Success" ? [index + 1] : [])),
        [5]
      )
      assert.strictEqual(yield* Ref.get(jobsOf), 1)
      assert.strictEqual((yield* store.history(jobId(1))).length, 3)
    }).pipe(Effect.provide(onServer))
  )
})
