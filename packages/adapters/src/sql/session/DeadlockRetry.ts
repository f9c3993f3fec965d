/**
 * Another try for a write that was given up to end a deadlock. Two writes of one preset may lock
 * its rows in two orders: Postgres then ends one of them, of which nothing stays, and the other
 * goes on.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** A second deadlock takes another two writers that meet in the same moment; a third is a storm. */
const retryMax = 2

const isDeadlock = (error: { readonly _tag: string }): boolean =>
  error._tag === "SqlError" && (error as SqlError.SqlError).reason._tag === "DeadlockError"

/**
 * Runs a write again that lost a deadlock. In a transaction of the caller's it is run once: what
 * else was done there is lost with it.
 */
export const retryDeadlock =
  (sql: SqlClient.SqlClient) =>
  <A, E extends { readonly _tag: string }, R>(write: Effect.Effect<A, E, R>) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (outer) =>
      outer._tag === "Some" ? write : Effect.retry(write, { times: retryMax, while: isDeadlock })
    )
