/**
 * Statements outside of transactions: those that only read have a connection of their own. They
 * wait for no transaction, and see nothing uncommitted.
 */
import { Effect, Stream } from "effect"
import type { SqlConnection } from "effect/sql"
import type { Turns } from "./SqliteTurns.ts"

/** WITH may lead to a write, and so may everything else that does not begin like this. */
const isRead = (sql: string): boolean => /^\s*SELECT\b/i.test(sql)

/** Lends a connection that reads from `reader`, and takes a turn for the rest. */
export const makeBorrower = (
  reader: SqlConnection.Connection,
  { borrow, lease }: Turns
): SqlConnection.Borrower => {
  const lend: (sql: string) => SqlConnection.Borrower = (sql) =>
    isRead(sql) ? (use) => use(reader) : borrow
  const connection: SqlConnection.Connection = {
    execute: (sql, params, transform) => lend(sql)((to) => to.execute(sql, params, transform)),
    executeRaw: (sql, params) => lend(sql)((to) => to.executeRaw(sql, params)),
    // An open cursor keeps its snapshot, and others on its connection would read that old state
    // too.
    executeStream: (sql, params, transform) =>
      Stream.unwrap(Effect.map(lease, (to) => to.executeStream(sql, params, transform))),
    executeValues: (sql, params) => lend(sql)((to) => to.executeValues(sql, params)),
    executeValuesUnprepared: (sql, params) =>
      lend(sql)((to) => to.executeValuesUnprepared(sql, params)),
    executeUnprepared: (sql, params, transform) =>
      lend(sql)((to) => to.executeUnprepared(sql, params, transform))
  }
  return (use) => use(connection)
}
