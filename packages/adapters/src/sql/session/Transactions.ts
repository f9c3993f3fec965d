/**
 * Transactions of the stores: exclusive by name, with a COMMIT that callers may share, and retried
 * when Postgres ends one because of a deadlock.
 */
import { Context, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

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
