/** A client of Effect that is the host's own: the connection of its transaction, for others. */
import type { HostConnection } from "@verbatim/adapters/postgres"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** To be asked for inside `sql.withTransaction`: elsewhere there is none. */
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
