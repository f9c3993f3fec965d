/** Provides a host's SQLite client and access to the client's transactions. */
import { Effect, type Layer } from "effect"
import type { SqlClient } from "effect/sql"
import {
  type ClientTransaction,
  makeHostClient,
  requireOpen,
  TransactionEnded
} from "../sql/host/ClientTransaction.ts"
import { enter, type HostTransaction, makeSessionLocks } from "../sql/host/HostEntry.ts"
import type { Host } from "../sql/host/HostSavepoints.ts"
import { HostTransactionError } from "../sql/host/HostTransactionError.ts"
import { connectionError } from "../sql/session/ClientErrors.ts"
import { hostTransactions } from "./HostTransaction.ts"

const explain: Host["explain"] = ({ reason: { cause } }) => {
  if (cause instanceof TransactionEnded) return new HostTransactionError({ reason: "NotOpen" })
  const isGone = cause instanceof Error && /no such savepoint|not open/.test(cause.message)
  return isGone ? new HostTransactionError({ reason: "Ended", cause }) : undefined
}

/** In SQLite, a failed statement leaves the transaction unchanged. */
const toHost = (client: SqlClient.SqlClient, transaction: ClientTransaction): Host => {
  const open = Effect.mapError(requireOpen(client, transaction), (ended) => connectionError(ended))
  const [connection] = transaction
  return {
    run: (sql, params) => Effect.andThen(open, connection.execute(sql, params, undefined)),
    control: (sql) =>
      Effect.andThen(open, Effect.asVoid(connection.executeUnprepared(sql, [], undefined))),
    explain
  }
}

/** Returns the lock of a connection, which nested transactions share. */
const lockOf = makeSessionLocks()

/**
 * Lets the stores join the client's own transactions, and transactions on other connections to the
 * same file.
 */
export const layer: (
  client: SqlClient.SqlClient
) => Layer.Layer<HostTransaction | SqlClient.SqlClient> = makeHostClient({
  connections: hostTransactions,
  enter: (client, transaction) => {
    const host = toHost(client, transaction)
    const lock = Effect.succeed(lockOf(transaction[0]))
    return enter(client, { host, lock, prepare: Effect.void, cleanUp: Effect.void })
  }
})
