/** Provides a host's Postgres client and access to the client's transactions. */
import { Effect, type Layer } from "effect"
import type { SqlClient } from "effect/sql"
import {
  type ClientTransaction,
  makeHostClient,
  requireOpen,
  TransactionEnded
} from "../sql/host/ClientTransaction.ts"
import type { HostTransaction } from "../sql/host/HostEntry.ts"
import { hostTransactions } from "./HostTransaction.ts"
import type { HostConnection } from "./host/HostQueries.ts"

/** Wraps a client's transaction connection as a host's connection. */
const toConnection = (
  client: SqlClient.SqlClient,
  transaction: ClientTransaction
): HostConnection => ({
  query: async (text, values) => ({
    rows: await Effect.runPromise(
      requireOpen(client, transaction).pipe(
        Effect.andThen(transaction[0].execute(text, values, undefined)),
        // Fails with the server's own error, so that it can be classified.
        Effect.mapError((error) => (error instanceof TransactionEnded ? error : error.reason.cause))
      )
    )
  })
})

/**
 * Lets the stores join the client's own transactions, and transactions on other connections to the
 * same database.
 */
export const layer: (
  client: SqlClient.SqlClient
) => Layer.Layer<HostTransaction | SqlClient.SqlClient> = makeHostClient({
  connections: hostTransactions,
  enter: (client, transaction, connections) => connections.within(toConnection(client, transaction))
})
