/** The store's own time, by which its processes decide what is due. Each database has its own. */
import type { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

/** How a database tells its time, in milliseconds. */
export interface StoreTime {
  /** Its time alone. */
  readonly millis: (sql: SqlClient.SqlClient) => Effect.Effect<number, SqlError.SqlError>
  /** Runs a statement with its time. */
  readonly withNow: <A, E>(
    sql: SqlClient.SqlClient,
    statement: (now: Statement.Fragment) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E>
  /**
   * Runs statements on leases with its time, read once nobody else can write: waiting for that may
   * have taken seconds.
   */
  readonly onceAlone: <A, E>(
    sql: SqlClient.SqlClient,
    statements: (now: Statement.Fragment) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | SqlError.SqlError>
}
