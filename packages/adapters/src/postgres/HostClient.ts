/** A client of Postgres that a host has made, with the door into its own transactions. */
import { Effect, type Layer } from "effect"
import type { SqlClient } from "effect/sql"
import {
  type ClientTransaction,
  makeHostClient,
  mustBeOpen,
  TransactionOver
} from "../sql/host/ClientTransaction.ts"
import type { HostTransaction } from "../sql/host/HostTransaction.ts"
import { hostTransactions } from "./HostTransaction.ts"
import type { HostConnection } from "./host/HostQueries.ts"

/** The connection of a transaction, as one that a host hands over. */
const toConnection = (
  client: SqlClient.SqlClient,
  transaction: ClientTransaction
): HostConnection => ({
  query: async (text, values) => ({
    rows: await Effect.runPromise(
      mustBeOpen(client, transaction).pipe(
        Effect.andThen(transaction[0].execute(text, values, undefined)),
        // What the server said, for whoever judges it.
        Effect.mapError((error) => (error instanceof TransactionOver ? error : error.reason.cause))
      )
    )
  })
})

/** The client, and its transactions beside those of connections to the same database. */
export const layer: (
  client: SqlClient.SqlClient
) => Layer.Layer<HostTransaction | SqlClient.SqlClient> = makeHostClient({
  connections: hostTransactions,
  enter: (client, transaction, connections) => connections.within(toConnection(client, transaction))
})
