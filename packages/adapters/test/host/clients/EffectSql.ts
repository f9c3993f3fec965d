/** Shows a host whose Effect client passes the current transaction's connection to the stores. */
import type { HostConnection } from "@verbatim/adapters/postgres"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Works only inside `sql.withTransaction`. */
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
