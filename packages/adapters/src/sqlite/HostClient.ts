/** A client of SQLite that a host has made, with the door into its own transactions. */
import { Effect, type Layer } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import {
  type ClientTransaction,
  makeHostClient,
  mustBeOpen,
  TransactionOver
} from "../sql/host/ClientTransaction.ts"
import { enter, makeTurns } from "../sql/host/HostDoor.ts"
import type { Host } from "../sql/host/HostLevel.ts"
import type { HostTransaction } from "../sql/host/HostTransaction.ts"
import { HostTransactionError } from "../sql/host/HostTransactionError.ts"
import { hostTransactions } from "./HostTransaction.ts"

const toSqlError = (cause: TransactionOver) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause, message: cause.message, operation: "execute" })
  })

const explain: Host["explain"] = ({ reason: { cause } }) => {
  if (cause instanceof TransactionOver) return new HostTransactionError({ reason: "NotOpen" })
  const isGone = cause instanceof Error && /no such savepoint|not open/.test(cause.message)
  return isGone ? new HostTransactionError({ reason: "Ended", cause }) : undefined
}

/** A statement that fails leaves the transaction as it was. */
const toHost = (client: SqlClient.SqlClient, transaction: ClientTransaction): Host => {
  const open = Effect.mapError(mustBeOpen(client, transaction), toSqlError)
  const [connection] = transaction
  return {
    run: (sql, params) => Effect.andThen(open, connection.execute(sql, params, undefined)),
    control: (sql) =>
      Effect.andThen(open, Effect.asVoid(connection.executeUnprepared(sql, [], undefined))),
    explain
  }
}

/** A transaction that is nested in another one has the same connection. */
const turnOf = makeTurns()

/** The client, and its transactions beside those of connections to the same file. */
export const layer: (
  client: SqlClient.SqlClient
) => Layer.Layer<HostTransaction | SqlClient.SqlClient> = makeHostClient({
  connections: hostTransactions,
  enter: (client, transaction) => {
    const host = toHost(client, transaction)
    const turn = Effect.succeed(turnOf(transaction[0]))
    return enter(client, { host, turn, arrive: Effect.void, leave: Effect.void })
  }
})
