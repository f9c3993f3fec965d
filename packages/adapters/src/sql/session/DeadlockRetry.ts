/**
 * Makes a write again that Postgres ended because of a deadlock. Two writes of one preset may lock
 * its rows in different orders: Postgres then rolls one of them back, and the other goes on.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

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
