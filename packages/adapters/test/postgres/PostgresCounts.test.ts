import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/postgres"
import { sqlTable } from "@verbatim/adapters/sql"
import { owedMax } from "@verbatim/core/attempt"
import { WorkQueue } from "@verbatim/core/ports"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { serverTime } from "#src/postgres/statements/ServerTime"
import { countOwed } from "#src/sql/work/OwedRows"
import { expectedSeries, movedSeries } from "../sql/Counting.ts"
import { newSchema, onServer } from "./TemporarySchema.ts"

const questions = sqlTable.questions.labels.question.filter((each) => each !== "transaction")

describe("the metrics of Postgres", () => {
  it.live("move when it serves", () =>
    Effect.gen(function* () {
      const stores = Layer.unwrap(Effect.map(newSchema, layer))
      assert.deepStrictEqual(yield* movedSeries(stores), expectedSeries("postgres", questions))
    }).pipe(Effect.scoped)
  )

  it.live("tell of owed work by the first rows that are due, and read none before a bound", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const queue = yield* WorkQueue
      const many = sql.literal("generate_series(1, 30000) AS number")
      yield* sql`INSERT INTO verbatim_jobs
        SELECT 'job ' || number, 'workspace', 1, 1, 1, '{}' FROM ${many}`
      yield* sql`INSERT INTO verbatim_work (job_id, kind, lane, due_at)
        SELECT 'job ' || number, 'Transcribe', '', number FROM ${many}`
      yield* sql`ANALYZE`
      const { Transcribe } = yield* queue.owed
      assert.strictEqual(Transcribe.waiting, owedMax)
      const after = (bound: number) =>
        countOwed(sql, { bounds: new Map([["Transcribe", bound]]), time: serverTime })
      const [all, fewer] = [yield* after(1), yield* after(29_001)]
      assert.strictEqual(all.Transcribe.waiting, owedMax)
      assert.strictEqual(fewer.Transcribe.waiting, 1_000)
      // The row that is due first is among them.
      assert.isTrue(Duration.isGreaterThan(all.Transcribe.age, fewer.Transcribe.age))
    }).pipe(Effect.provide(onServer))
  )
})
