/** Tests that each of many concurrent commits to one job gets its own result. */
import { assert, describe, it } from "@effect/vitest"
import { JobStore } from "@verbatim/core/ports"
import {
  attemptStarted,
  claimJobs,
  commitJob,
  commitOf,
  insertJob,
  instant,
  jobId,
  leaseToken,
  makeUploadJob,
  retryScheduled,
  upTo,
  withWorkspace
} from "@verbatim/testkit/samples"
import { Effect, Ref } from "effect"
import { Statement } from "effect/sql"
import { onServer } from "./TemporarySchema.ts"

const [holder, stranger] = [leaseToken(1), leaseToken(2)]

describe("Commits to one job on Postgres", () => {
  it.live("are never written by the same statement", () =>
    withWorkspace(function* () {
      const store = yield* JobStore
      yield* insertJob(makeUploadJob(1))
      yield* claimJobs(holder)
      const job = yield* commitJob(makeUploadJob(1), {
        events: [attemptStarted()],
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
                events: [retryScheduled(instant)],
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
