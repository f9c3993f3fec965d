/** What happens to Postgres: rows that another session holds, leases that lapse, lost answers. */
import { PostgresClient } from "@verbatim/adapters/postgres"
import { Troubles } from "@verbatim/testkit/concurrency"
import type { Proxy } from "@verbatim/testkit/servers"
import { Duration, Effect, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"

/** The name of the sessions of the stores. */
export const applicationName = "verbatim-checked"

const tables = {
  job: { table: "jobs", column: "id" },
  work: { table: "work", column: "job_id" },
  preset: { table: "presets", column: "slug" }
} as const

/** Until the server has given up statements that nobody waits for: longer than any may take. */
const settleMillisMax = 20_000
const lookMillis = 20

const make = (proxy: Proxy) =>
  Effect.map(SqlClient.SqlClient, (sql) => {
    const busy = sql<{ readonly count: number }>`SELECT count(*) AS count FROM pg_stat_activity
      WHERE application_name = ${applicationName} AND state <> 'idle'`
    const settled = Effect.repeat(busy, {
      schedule: Schedule.spaced(Duration.millis(lookMillis)),
      while: ([row]) => row?.count !== 0,
      times: settleMillisMax / lookMillis
    })
    return Troubles.of({
      holdsRows: true,
      hold: ({ id, of }, during) => {
        const { column, table } = tables[of]
        const lock = sql`SELECT 1 FROM ${sql(table)} WHERE ${sql(column)} = ${id} FOR UPDATE`
        return sql.withTransaction(Effect.andThen(lock, during))
      },
      lapse: (ids) =>
        Effect.asVoid(sql`UPDATE work SET lease_until = 0 WHERE ${sql.in("job_id", ids)}`),
      calmly: (effect) =>
        Effect.acquireUseRelease(
          Effect.sync(() => proxy.calm()),
          () => Effect.andThen(settled, effect),
          () => Effect.sync(() => proxy.storm())
        )
    })
  })

/** On sessions of their own that lose nothing. */
export const postgresTroubles = (config: {
  readonly url: string
  readonly schema: string
  readonly proxy: Proxy
}) =>
  Layer.effect(Troubles, make(config.proxy)).pipe(
    Layer.provide(
      Layer.fresh(
        PostgresClient.layer({
          url: Redacted.make(config.url),
          schema: config.schema,
          connectionsMax: 4,
          // They hold rows for longer than a statement of the stores may wait.
          statementTimeout: Duration.minutes(1)
        })
      )
    )
  )
