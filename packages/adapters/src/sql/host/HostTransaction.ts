/** The open transactions of hosts, as a service of whatever database the stores are in. */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Entrance, enter, type Within } from "./HostDoor.ts"
import type { HostTransactionError } from "./HostTransactionError.ts"

export class HostTransaction extends Context.Service<
  HostTransaction,
  {
    /**
     * Runs effects on a connection that is in a transaction of the host: what they write is
     * committed with it, or rolled back. It is a savepoint there: an effect that fails leaves
     * nothing, and the transaction goes on. Until it has ended, the connection belongs to it. What
     * is a connection, the door of each database says.
     */
    readonly within: (connection: object) => Within
  }
>()("@verbatim/adapters/sql/HostTransaction") {}

/** The service over connections of one sort, each of which is entered in one way. */
export const makeLayer = <Connection extends object>(
  make: (sql: SqlClient.SqlClient) => (connection: Connection) => Entrance
): Layer.Layer<HostTransaction, never, SqlClient.SqlClient> =>
  Layer.effect(HostTransaction)(
    Effect.map(SqlClient.SqlClient, (sql) => {
      const makeEntrance = make(sql)
      const entrances = new WeakMap<object, Entrance>()
      return HostTransaction.of({
        within: (connection) => {
          // Whatever else it is, takes no statement, and is refused for that.
          const entrance = entrances.get(connection) ?? makeEntrance(connection as Connection)
          entrances.set(connection, entrance)
          return enter(sql, entrance)
        }
      })
    })
  )

/** The door for connections of one sort. */
export type Door<Connection> = (
  connection: Connection
) => <A, E, R>(
  effect: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | HostTransactionError, R | HostTransaction>

/** Runs effects in the open transaction of a host. */
export const makeDoor =
  <Connection extends object>(): Door<Connection> =>
  (connection) =>
  (effect) =>
    Effect.flatMap(HostTransaction, (door) => door.within(connection)(effect))
