/**
 * Statements outside of transactions: those that only read have a connection of their own. They
 * wait for no transaction, and see nothing uncommitted.
 */
import type { DatabaseSync } from "node:sqlite"
import { Effect, Stream } from "effect"
import type { SqlConnection } from "effect/sql"
import type { Edition } from "../sql/names/ClientTraits.ts"
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

/**
 * Makes the question which edition a connection that never writes would read now: SQLite counts the
 * commits of all other connections, of this process and of any other, as a statement would see
 * them. It takes 3 µs, a look-up 20 to 30. Where it fails, the statement that follows says why.
 */
export const makeReadEdition = (reader: DatabaseSync): (() => Edition | undefined) => {
  const statement = reader.prepare("PRAGMA data_version")
  return () => {
    try {
      const edition = statement.get()?.data_version
      return typeof edition === "number" ? edition : undefined
    } catch {
      return undefined
    }
  }
}
