/**
 * The sessions and transactions of the stores, and their time: exclusive transactions by name, a
 * COMMIT that callers may share, and retries where Postgres ends one because of a deadlock.
 */
import { Context, Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

/**
 * Runs statements in a transaction that excludes others of the same name. Shared ones exclude only
 * exclusive ones.
 */
export type Alone = <A, E, R>(
  sql: SqlClient.SqlClient,
  name: string,
  statements: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | SqlError.SqlError, R>

/** Whether the transactions that begin here may share a COMMIT. */
export const SharedCommit = Context.Reference<boolean>("@verbatim/adapters/sql/SharedCommit", {
  defaultValue: () => false
})

/**
 * Runs an effect in a transaction that may share its COMMIT. The effect promises to run statements
 * and to wait for nothing else, because the others wait for it; and to leave no constraint to be
 * checked by COMMIT, because a violation there fails all of them.
 */
export const withSharedCommit =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.provideService(sql.withTransaction(self), SharedCommit, true)

/** A second deadlock needs two more writers that meet in the same moment; a third is a storm. */
const retryMax = 2

const isDeadlock = (error: { readonly _tag: string }): boolean =>
  error._tag === "SqlError" && (error as SqlError.SqlError).reason._tag === "DeadlockError"

/**
 * Runs a write again that was ended because of a deadlock. In a transaction of the caller it runs
 * once: whatever else was done there has been rolled back with it.
 */
export const retryDeadlock =
  (sql: SqlClient.SqlClient) =>
  <A, E extends { readonly _tag: string }, R>(write: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (outer) =>
      outer._tag === "Some" ? write : Effect.retry(write, { times: retryMax, while: isDeadlock })
    )

/** Clients of the same database as the store's own. */
export interface Reserved {
  /** For renewals: they wait for nobody, so one session is enough. */
  readonly renewals: SqlClient.SqlClient
  /** For shared statements of commits that end attempts. */
  readonly endings: SqlClient.SqlClient
  /** For those of these commits that are large, or whose rows are locked: they may take long. */
  readonly longEndings: SqlClient.SqlClient
}

/** None where a database has one session, or one for each caller. */
export const ReservedSessions: Context.Reference<Reserved | undefined> = Context.Reference(
  "@verbatim/adapters/sql/ReservedSessions",
  { defaultValue: (): Reserved | undefined => undefined }
)

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
