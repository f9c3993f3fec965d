/** A table of Postgres that nobody else gets to for a while, and who waits for it. */
import { PostgresClient } from "@verbatim/adapters/postgres"
import { Duration, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/** Runs something while presets can be neither read nor written. */
export const whileLocked = <A>(url: string, run: (waiting: () => Promise<number>) => Promise<A>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const waiting = sql<{ count: number }>`
      SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'`
    const count = async () => (await Effect.runPromise(waiting))[0]?.count ?? 0
    return yield* sql.withTransaction(
      Effect.andThen(
        sql`LOCK TABLE verbatim_presets IN ACCESS EXCLUSIVE MODE`,
        Effect.promise(() => run(count))
      )
    )
  }).pipe(
    Effect.provide(
      PostgresClient.layer({
        url: Redacted.make(url),
        connectionsMax: 2,
        statementTimeout: Duration.seconds(60)
      })
    ),
    Effect.runPromise
  )
