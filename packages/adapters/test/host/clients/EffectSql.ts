/**
 * Shows a host with an Effect client, and stores that use the current transaction of this client.
 */
import type { HostConnection } from "@verbatim/adapters/postgres"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** This works only inside `sql.withTransaction`. */
export const connectionOf = (sql: SqlClient.SqlClient) =>
  Effect.serviceOption(sql.transactionService).pipe(
    Effect.flatMap(Effect.fromOption),
    Effect.map(
      ([connection]): HostConnection => ({
        query: async (text, values) => ({
          rows: await Effect.runPromise(connection.execute(text, values, undefined))
        })
      })
    )
  )
