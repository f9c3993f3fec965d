/**
 * The single row that names the database's media store, and the copy of the database that wrote the
 * row.
 */
import type { DatabaseIdentity } from "@verbatim/core/ports"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

type Sql = SqlClient.SqlClient

/** Returns the identity of the database. Copies of the database have other identities. */
type Identify = (sql: Sql) => Effect.Effect<string, SqlError.SqlError>

interface MarkRow {
  readonly identity: string
  readonly created_at: number
  readonly marker: string | null
  readonly owner: string | null
}

/** Reads the identities of the database and its media store. */
export const find = Effect.fnUntraced(function* (
  sql: Sql,
  identify: Identify
): Effect.fn.Return<DatabaseIdentity, SqlError.SqlError> {
  const database = yield* identify(sql)
  const [row] = yield* sql<MarkRow>`SELECT identity, created_at, marker, owner
    FROM verbatim_database_identity LEFT JOIN verbatim_media_mark
      ON verbatim_media_mark.id = verbatim_database_identity.id`
  return {
    identity: `${row?.identity}-${database}`,
    createdAt: DateTime.makeUnsafe(row?.created_at ?? 0),
    marker: Option.fromNullishOr(row?.marker),
    isCopied: typeof row?.marker === "string" && row.owner !== database
  }
})

/** Writes the row, unless it exists and must not be replaced, and returns the marker in it. */
export const write = Effect.fnUntraced(function* (
  sql: Sql,
  identify: Identify,
  { isReplacing, marker }: { readonly marker: string; readonly isReplacing: boolean }
): Effect.fn.Return<string, SqlError.SqlError> {
  const change = isReplacing
    ? "DO UPDATE SET marker = excluded.marker, owner = excluded.owner"
    : "DO NOTHING"
  yield* sql`INSERT INTO verbatim_media_mark (id, marker, owner)
    VALUES (1, ${marker}, ${yield* identify(sql)}) ON CONFLICT (id) ${sql.literal(change)}`
  // Reads in a separate statement, because if another process was faster, its row is visible only
  // to the next statement.
  const found = yield* find(sql, identify)
  return Option.getOrElse(found.marker, () => marker)
})
