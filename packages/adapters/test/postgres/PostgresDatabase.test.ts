/** Tests the schema, the sessions and the rows of the database. */
import { assert, describe, it } from "@effect/vitest"
import { layer } from "@verbatim/adapters/postgres"
import { sqlTable } from "@verbatim/adapters/sql"
import { pendingMax } from "@verbatim/core/attempt"
import { PresetStore, WorkQueue } from "@verbatim/core/ports"
import { findPreset, makeDraft, withWorkspace } from "@verbatim/testkit/samples"
import { Cause, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { expectedSeries, movedSeries } from "../sql/Counting.ts"
import { isShared, newSchema, oneClient, onServer, useOwnServer } from "./TemporarySchema.ts"

useOwnServer()

describe("the schema of a Postgres database", () => {
  it.live("keeps the password out of the error if the database cannot be reached", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        Layer.build(layer({ url: Redacted.make("postgres://me:secret@127.0.0.1:1/nothing") }))
      )
      assert.strictEqual(error._tag, "SqlError")
      assert.notInclude(`${Cause.pretty(Cause.fail(error))}${JSON.stringify(error)}`, "secret")
    })
  )
})

describe("a Postgres session", () => {
  it.live.skipIf(isShared)("has the same settings, whatever defaults the database has", () =>
    Effect.gen(function* () {
      const { url } = yield* newSchema
      const sql = yield* SqlClient.SqlClient
      const asked = sql`SELECT current_setting('TimeZone') AS zone,
        current_setting('transaction_isolation') AS isolation,
        current_setting('statement_timeout') AS statement,
        current_setting('lock_timeout') AS lock`
      const [row] = yield* Effect.acquireUseRelease(
        Effect.all([
          sql`ALTER ROLE CURRENT_USER SET TimeZone = 'Asia/Kolkata'`,
          sql`ALTER ROLE CURRENT_USER SET default_transaction_isolation = 'serializable'`,
          sql`ALTER ROLE CURRENT_USER SET statement_timeout = 0`
        ]),
        () => Effect.provide(asked, oneClient({ url }), { local: true }),
        () => Effect.orDie(sql`ALTER ROLE CURRENT_USER RESET ALL`)
      )
      assert.deepStrictEqual(
        { ...row },
        { zone: "UTC", isolation: "read committed", statement: "5s", lock: "4s" }
      )
    }).pipe(Effect.provide(onServer))
  )

  it.live("returns counts and balances as numbers", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const limits = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, -1, 0, 2 ** 31]
      for (const limit of limits) {
        const [row] = yield* sql`SELECT ${limit}::bigint AS value`
        assert.deepStrictEqual({ ...row }, { value: limit })
      }
      const [row] = yield* sql`SELECT 9007199254740993::bigint AS value`
      assert.deepStrictEqual({ ...row }, { value: 9_007_199_254_740_993n })
    }).pipe(Effect.provide(onServer))
  )
})

describe("a row in a Postgres database", () => {
  it.live("is refused if Postgres cannot store its text, and the store continues to work", () =>
    withWorkspace(function* () {
      const store = yield* PresetStore
      const { reason } = yield* Effect.flip(store.append(makeDraft(1, { systemPrompt: "a\0b" })))
      assert.strictEqual(reason._tag, "Unavailable")
      assert.isTrue(Option.isNone(yield* findPreset()))
      const { version } = yield* store.append(makeDraft(2))
      assert.strictEqual(version.version, 1)
    }).pipe(Effect.provide(onServer))
  )
})

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
