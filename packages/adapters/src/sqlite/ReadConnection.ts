/**
 * Statements outside of transactions: what only reads has a connection of its own. It waits for no
 * transaction, and sees nothing that is not committed.
 */
import { Effect, Stream } from "effect"
import type { SqlConnection } from "effect/sql"
import type { Turns } from "./SqliteTurns.ts"

/** WITH may lead to a write; so may everything else that does not begin like this. */
const isRead = (sql: string): boolean => /^\s*SELECT\b/i.test(sql)

/** A connection that reads from `reader`, and takes a turn for the rest. */
export const make = (
  reader: SqlConnection.Connection,
  { borrow, lease }: Turns
): SqlConnection.Connection => {
  const lend: (sql: string) => SqlConnection.Borrower = (sql) =>
    isRead(sql) ? (use) => use(reader) : borrow
  return {
    execute: (sql, params, transform) => lend(sql)((to) => to.execute(sql, params, transform)),
    executeRaw: (sql, params) => lend(sql)((to) => to.executeRaw(sql, params)),
    // An open cursor keeps its snapshot, and others on its connection would have to read that, too.
    executeStream: (sql, params, transform) =>
      Stream.unwrap(Effect.map(lease, (to) => to.executeStream(sql, params, transform))),
    executeValues: (sql, params) => lend(sql)((to) => to.executeValues(sql, params)),
    executeValuesUnprepared: (sql, params) =>
      lend(sql)((to) => to.executeValuesUnprepared(sql, params)),
    executeUnprepared: (sql, params, transform) =>
      lend(sql)((to) => to.executeUnprepared(sql, params, transform))
  }
}
