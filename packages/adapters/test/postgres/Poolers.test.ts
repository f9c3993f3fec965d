/** Tests sessions behind a connection pooler, in each of its modes. */
import { assert, describe, it } from "@effect/vitest"
import { layer, PoolClient, PostgresClient } from "@verbatim/adapters/postgres"
import * as Sql from "@verbatim/adapters/sql"
import { JobStore } from "@verbatim/core/ports"
import { Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import pg from "pg"
import { Pooler, type PoolMode } from "./PostgresPooler.ts"
import { newSchema, oneClient } from "./TemporarySchema.ts"

const pooler = (mode: PoolMode) =>
  Effect.gen(function* () {
    const { schema, url } = yield* newSchema
    const opened = yield* Effect.acquireRelease(
      Effect.promise(() => Pooler.open(Redacted.value(url), mode)),
      (each) => Effect.sync(() => each.close())
    )
    return { opened, config: { url: Redacted.make(opened.url), schema } }
  })

const stores = (config: { readonly url: Redacted.Redacted; readonly schema: string }) =>
  Layer.fresh(layer(config))

const shown = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT current_setting('statement_timeout') AS statement,
    current_setting('lock_timeout') AS lock, current_setting('synchronous_commit') AS durable,
    current_setting('idle_in_transaction_session_timeout') AS idle,
    current_setting('TimeZone') AS zone, pg_sleep(0.01)::text`
)

const overPool = (url: Redacted.Redacted, max: number) =>
  Effect.gen(function* () {
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new pg.Pool({ connectionString: Redacted.value(url), max })),
      (opened) => Effect.promise(() => opened.end())
    )
    return Layer.fresh(Sql.layer()).pipe(Layer.provide(PoolClient.layer(pool)))
  })

describe("behind a pooler", () => {
  it.live("stores open in session mode, and all sessions keep their settings", () =>
    Effect.gen(function* () {
      const { config } = yield* pooler("session")
      yield* Effect.provide(
        Effect.flatMap(JobStore, ({ now }) => now),
        stores(config)
      )
      const rows = yield* Effect.forEach(Array.from({ length: 8 }), () => shown, {
        concurrency: 4
      }).pipe(Effect.provide(PostgresClient.layer(config)))
      for (const [row] of rows) {
        assert.deepInclude(row, {
          statement: "5s",
          lock: "4s",
          idle: "5s",
          durable: "on",
          zone: "UTC"
        })
      }
    })
  )

  it.live("stores fail to open in transaction mode, and state the cause", () =>
    Effect.gen(function* () {
      const { config } = yield* pooler("transaction")
      const error = yield* Effect.flip(Effect.provide(JobStore, stores(config)))
      assert.strictEqual(error.message, Sql.PoolerCheck.poolerSentence)
    })
  )

  it.live("a host's pool is refused in transaction mode", () =>
    Effect.gen(function* () {
      const { config } = yield* pooler("transaction")
      const error = yield* Effect.flip(Effect.provide(JobStore, yield* overPool(config.url, 4)))
      assert.strictEqual(error.message, Sql.PoolerCheck.poolerSentence)
    })
  )

  it.live("a host's pool keeps the host's settings in session mode", () =>
    Effect.gen(function* () {
      const { config } = yield* pooler("session")
      yield* Effect.provide(JobStore, yield* overPool(config.url, 2))
    })
  )

  it.effect("sessions in use detect that the pooler's mode has changed", () =>
    Effect.gen(function* () {
      const { config, opened } = yield* pooler("session")
      const sql = yield* SqlClient.SqlClient.pipe(
        Effect.provide(yield* Layer.build(Layer.fresh(PostgresClient.layer(config))))
      )
      const several = Effect.all(
        [1, 2, 3].map(() => sql`SELECT pg_sleep(0.01)`),
        {
          concurrency: "unbounded"
        }
      )
      yield* several
      opened.mode = "transaction"
      yield* several
      // The first check can still use the old sessions. The next check comes ten seconds later.
      const looks = Effect.andThen(TestClock.adjust(Duration.seconds(11)), several)
      const error = yield* Effect.flip(Effect.forever(looks))
      assert.strictEqual(error.message, Sql.PoolerCheck.poolerSentence)
      // Now no statement can run, not even in a session that has kept its settings.
      for (let count = 0; count < 5; count += 1) {
        assert.strictEqual((yield* Effect.flip(sql`SELECT 1`)).message, error.message)
      }
    })
  )

  it.effect("a shorter lock timeout inside a transaction is not mistaken for pooling", () =>
    Effect.gen(function* () {
      const { url } = yield* newSchema
      const sql = yield* SqlClient.SqlClient.pipe(
        Effect.provide(yield* Layer.build(oneClient({ url })))
      )
      yield* sql.unsafe("BEGIN")
      yield* sql.unsafe("SET LOCAL lock_timeout = 17")
      yield* TestClock.adjust(Duration.seconds(11))
      yield* sql.unsafe("COMMIT")
    })
  )
})
