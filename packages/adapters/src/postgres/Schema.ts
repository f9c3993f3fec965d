/**
 * The schema in which the tables are, when it is not the role's own first one.
 */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Dialect from "../sql/Dialect.ts"

/** Makes the schema of that name. One that is there is only looked at: that needs no permission. */
export const ensureSchema = (
  name: string | undefined
): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  name === undefined
    ? Effect.void
    : Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Dialect.alone(
          sql,
          "migrations",
          Effect.gen(function* () {
            const there = yield* sql`SELECT 1 FROM pg_namespace WHERE nspname = ${name}`
            if (there.length === 0) yield* sql`CREATE SCHEMA ${sql(name)}`
          })
        )
      )
