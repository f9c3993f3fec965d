/**
 * Transactions that may share the COMMIT of others: a store asks for it, and a client that can have
 * several transactions in one COMMIT, and so in one wait for the disk, may grant it.
 */
import { Context, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

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
