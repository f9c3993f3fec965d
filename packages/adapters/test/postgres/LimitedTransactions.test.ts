/** Tests jobs with limits that are inserted in host transactions, which lock their workspaces. */
import { assert, describe, it } from "@effect/vitest"
import { PostgresClient } from "@verbatim/adapters/postgres"
import { layer as stores } from "@verbatim/adapters/sql"
import { JobStore } from "@verbatim/core/ports"
import { creation, foundFirst, makeUploadJob } from "@verbatim/testkit/samples"
import { Deferred, Duration, Effect, Exit, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { newSchema } from "./TemporarySchema.ts"

/** A time limit that is long enough to wait for locks throughout a test. */
const statementTimeout = Duration.minutes(10)

/** The stores with their client. A host can use the stores in that client's transactions. */
const onHost = Layer.unwrap(
  Effect.map(newSchema, (config) =>
    stores().pipe(Layer.provideMerge(PostgresClient.layer({ ...config, statementTimeout })))
  )
)

/** Inserts a job for a workspace with a limit of three unfinished jobs. */
const insert = (number: number) =>
  Effect.flatMap(JobStore, (store) =>
    store.insert({
      ...creation(makeUploadJob(number)),
      unfinishedMax: { workspace: 3, key: null }
    })
  )

/** Waits until a session has waited for this transaction for longer than a short attempt takes. */
const untilWaitedFor = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.repeat(
    Effect.andThen(
      // A transaction sees the states that other sessions had committed before its first read.
      sql`SELECT pg_stat_clear_snapshot()`,
      sql`SELECT pid FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))
        AND clock_timestamp() - query_start > interval '500 milliseconds'`
    ),
    { until: (rows) => rows.length > 0, schedule: Schedule.spaced("10 millis") }
  )
)

const count = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql`SELECT COUNT(*) AS jobs FROM verbatim_jobs`, ([row]) => Number(row?.jobs))
)

describe("A job with a limit, inserted in a host transaction", () => {
  it.live("is not held up by other callers that wait for that transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* foundFirst
      const mayCome = yield* Deferred.make<void>()
      const others = yield* Effect.forEach([10, 11], (number) =>
        Effect.forkChild(Effect.exit(Effect.andThen(Deferred.await(mayCome), insert(number))))
      )
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* insert(1)
          yield* Deferred.succeed(mayCome, undefined)
          yield* untilWaitedFor
          yield* insert(2)
        })
      )
      const exits = yield* Effect.forEach(others, Fiber.join)
      assert.lengthOf(exits.filter(Exit.isSuccess), 1, "there was room for one more")
      assert.strictEqual(yield* count, 3)
    }).pipe(Effect.provide(onHost))
  )
})
