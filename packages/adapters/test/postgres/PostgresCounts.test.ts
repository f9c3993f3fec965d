import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/postgres"
import { sqlTable } from "@verbatim/adapters/sql"
import { pendingMax } from "@verbatim/core/attempt"
import { WorkQueue } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { expectedSeries, movedSeries } from "../sql/Counting.ts"
import { newSchema, onServer } from "./TemporarySchema.ts"

const batches = sqlTable.batchSize.labels.batch.filter((each) => each !== "transaction")

describe("Postgres's metrics", () => {
  it.live("change as the database is used", () =>
    Effect.gen(function* () {
      const stores = Layer.unwrap(Effect.map(newSchema, layer))
      assert.deepStrictEqual(yield* movedSeries(stores), expectedSeries("postgres", batches))
    }).pipe(Effect.scoped)
  )

  it.live("count pending work only up to a limit, and the rows that are due first", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* WorkQueue
      const many = sql.literal("generate_series(1, 30000) AS number")
      yield* sql`INSERT INTO verbatim_jobs
        SELECT 'job ' || number, 'workspace', 1, 1, 1, '{}' FROM ${many}`
      yield* sql`INSERT INTO verbatim_work (job_id, kind, lane, due_at)
        SELECT 'job ' || number, 'Transcribe', '', number FROM ${many}`
      yield* sql`ANALYZE`
      const { Transcribe } = yield* queue.pendingCounts
      assert.strictEqual(Transcribe.waiting, pendingMax)
    }).pipe(Effect.provide(onServer))
  )
})
