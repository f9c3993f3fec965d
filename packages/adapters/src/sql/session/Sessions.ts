/**
 * Defines the stores' sessions, transactions and clock: named exclusive transactions, COMMITs that
 * callers can share, and retries after deadlocks in Postgres.
 */
import { Context, Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

/**
 * Runs statements in a transaction with a name. An exclusive transaction excludes all others of the
 * same name; a shared one excludes only exclusive ones.
 */
export type LockedTransaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  name: string,
  statements: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | SqlError.SqlError, R>

/** Whether transactions that begin in this context can share a COMMIT. */
export const SharedCommit = Context.Reference<boolean>("@verbatim/adapters/sql/SharedCommit", {
  defaultValue: () => false
})

/**
 * Runs an effect in a transaction that can share its COMMIT. The effect must only run statements,
 * because other transactions wait for the COMMIT. The effect must leave no constraint for COMMIT to
 * check, because a violation would make all transactions in the group fail.
 */
export const withSharedCommit =
  (sql: SqlClient.SqlClient) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError.SqlError, R> =>
    Effect.provideService(sql.withTransaction(self), SharedCommit, true)

/**
 * Maximum number of retries. A second deadlock requires two more writers at the same time; a third
 * deadlock means overload.
 */
const retryMax = 2

const isDeadlock = (error: { readonly _tag: string }): boolean =>
  error._tag === "SqlError" && (error as SqlError.SqlError).reason._tag === "DeadlockError"

/**
 * Retries a write that failed because of a deadlock. Inside the caller's transaction, a write runs
 * only once, because a deadlock rolls back everything else in the transaction too.
 */
export const retryDeadlock =
  (sql: SqlClient.SqlClient) =>
  <A, E extends { readonly _tag: string }, R>(write: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (outer) =>
      outer._tag === "Some" ? write : Effect.retry(write, { times: retryMax, while: isDeadlock })
    )

/** Additional clients for the stores' database, each with its own sessions. */
export interface Reserved {
  /**
   * The client for lease renewals. One session is enough, because renewals never wait for a lock.
   */
  readonly renewals: SqlClient.SqlClient
  /** The client for batched commits that end attempts. */
  readonly endings: SqlClient.SqlClient
  /**
   * The client for commits that end attempts and can take a long time, because the commits are
   * large or the rows are locked.
   */
  readonly longEndings: SqlClient.SqlClient
}

/**
 * The reserved clients, or undefined if the database has only one session, or one session for each
 * caller.
 */
export const ReservedSessions: Context.Reference<Reserved | undefined> = Context.Reference(
  "@verbatim/adapters/sql/ReservedSessions",
  { defaultValue: (): Reserved | undefined => undefined }
)

/** Provides a database's clock, in milliseconds. */
export interface StoreTime {
  /** Reads the database's time in milliseconds. */
  readonly millis: (sql: SqlClient.SqlClient) => Effect.Effect<number, SqlError.SqlError>
  /** Runs a statement with the current time. */
  readonly withNow: <A, E>(
    sql: SqlClient.SqlClient,
    statement: (now: Statement.Fragment) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E>
  /**
   * Runs statements on leases with the current time. The time is read only when no other process
   * can write any more, because waiting for other writers may take seconds.
   */
  readonly withNowExclusive: <A, E>(
    sql: SqlClient.SqlClient,
    statements: (now: Statement.Fragment) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | SqlError.SqlError>
}
