/** The schema that holds the tables, when it is not the role's own first one. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/**
 * Makes the schema of that name. An existing one is only looked at, which needs no permission. If
 * several make it at once, one succeeds and the others find it: none waits for a lock.
 */
export const ensureSchema = (
  name: string | undefined
): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  name === undefined
    ? Effect.void
    : Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const isThere = Effect.map(
          sql`SELECT 1 FROM pg_namespace WHERE nspname = ${name}`,
          (rows) => rows.length > 0
        )
        if (yield* isThere) return
        yield* sql`CREATE SCHEMA ${sql(name)}`.pipe(
          Effect.catch((error) =>
            Effect.flatMap(isThere, (isMade) => (isMade ? Effect.void : Effect.fail(error)))
          )
        )
      })
