/** Makes open transactions of hosts available to the stores. */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { enter, type HostEntry, type RunInTransaction } from "./HostEntry.ts"
import type { HostTransactionError } from "./HostTransactionError.ts"

export class HostTransaction extends Context.Service<
  HostTransaction,
  {
    /**
     * Runs effects on a connection that is in the host's transaction, so that the effects' writes
     * are committed or rolled back with the transaction. Each effect runs in a savepoint: if the
     * effect fails, its writes are undone, and the transaction continues. The host must not use the
     * connection until the effect has ended. The type of a connection depends on the database.
     */
    readonly within: (connection: object) => RunInTransaction
  }
>()("@verbatim/adapters/sql/HostTransaction") {}

/** Creates the `HostTransaction` service for one type of connection. */
export const makeLayer = <Connection extends object>(
  make: (sql: SqlClient.SqlClient) => (connection: Connection) => HostEntry
): Layer.Layer<HostTransaction, never, SqlClient.SqlClient> =>
  Layer.effect(HostTransaction)(
    Effect.map(SqlClient.SqlClient, (sql) => {
      const makeHostEntry = make(sql)
      const entrances = new WeakMap<object, HostEntry>()
      return HostTransaction.of({
        within: (connection) => {
          // An object that is not a connection fails on its first statement, so no check is needed
          // here.
          const entrance = entrances.get(connection) ?? makeHostEntry(connection as Connection)
          entrances.set(connection, entrance)
          return enter(sql, entrance)
        }
      })
    })
  )

/** Runs effects on a connection of one type. */
export type RunOnConnection<Connection> = (
  connection: Connection
) => <A, E, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | HostTransactionError, R | HostTransaction>

/** Creates a function that runs effects in a host's open transaction. */
export const makeWithin =
  <Connection extends object>(): RunOnConnection<Connection> =>
  (connection) =>
  (effect) =>
    Effect.flatMap(HostTransaction, (door) => door.within(connection)(effect))
