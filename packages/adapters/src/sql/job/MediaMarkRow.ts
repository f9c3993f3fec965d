/** The one row that says which media store belongs to the database. */
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

type Sql = SqlClient.SqlClient

/** The marker of the store; none before one was adopted. */
export const find = (sql: Sql): Effect.Effect<Option.Option<string>, SqlError.SqlError> =>
  Effect.map(sql<{ readonly marker: string }>`SELECT marker FROM media_mark`, ([row]) =>
    Option.fromUndefinedOr(row?.marker)
  )

/** Writes the row unless it is there, and returns the marker in it. */
export const insert = (sql: Sql, marker: string): Effect.Effect<string, SqlError.SqlError> =>
  sql`INSERT INTO media_mark (id, marker) VALUES (1, ${marker}) ON CONFLICT (id) DO NOTHING`.pipe(
    // A separate statement: only the next one sees the row of somebody who was first.
    Effect.andThen(find(sql)),
    Effect.map(Option.getOrElse(() => marker))
  )
