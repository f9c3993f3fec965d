/** Creates the schema for the tables, unless it is the first schema of the role's search path. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { capabilitiesOf } from "../sql/ClientCapabilities.ts"
import { MigrationError, reasons } from "../sql/migration/MigrationError.ts"

type Sql = SqlClient.SqlClient

/**
 * Creates a schema. If the schema exists, it is only looked up, which needs no permission. If
 * several processes create the schema at the same time, one succeeds and the others find the
 * schema; no process waits for a lock.
 */
export const ensureSchema = Effect.fnUntraced(function* (
  sql: Sql,
  name: string | undefined
): Effect.fn.Return<void, SqlError.SqlError> {
  if (name === undefined) return
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

/**
 * Maximum number of schemas that a warning names, because a database with many tenants has
 * hundreds.
 */
const namedMax = 3

/**
 * Logs a warning about stores in other schemas before a new, empty one is created, because the
 * schema name may be misspelt.
 */
const warnOfOthers = Effect.fnUntraced(function* (
  sql: Sql,
  home: string
): Effect.fn.Return<void, SqlError.SqlError> {
  const rows = yield* sql<{ readonly name: string }>`SELECT nspname::text AS name
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE relname = 'verbatim_migrations' AND relkind = 'r' ORDER BY nspname`
  const names = rows.map(({ name }) => name)
  if (names.length === 0 || names.includes(home)) return
  const more = names.length > namedMax ? " and others" : ""
  yield* Effect.logWarning(
    `New and empty tables are created in schema ${home}, but the database has tables of Verbatim ` +
      `in schema ${names.slice(0, namedMax).join(", ")}${more}: set that one if it is meant.`
  )
})

/**
 * Creates the schema for the tables if its name is known, and refuses sessions that have no schema.
 */
export const createHomeSchema = Effect.fnUntraced(function* (
  sql: Sql
): Effect.fn.Return<void, MigrationError | SqlError.SqlError> {
  yield* ensureSchema(sql, capabilitiesOf(sql).home)
  const [row] = yield* sql<{ readonly path: string; readonly home: string | null }>`
    SELECT current_setting('search_path') AS path, current_schema()::text AS home`
  if (row === undefined) return
  const { home, path } = row
  if (home === null) {
    return yield* new MigrationError({ reason: reasons.SchemaMissing.make({ path }) })
  }
  yield* warnOfOthers(sql, home)
})
