/** The schema that holds the tables, when it is not the role's own first one. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { traitsOf } from "../sql/ClientTraits.ts"
import { MigrationError, reasons } from "../sql/migration/MigrationError.ts"

type Sql = SqlClient.SqlClient

/**
 * Makes the schema of that name. An existing one is only looked at, which needs no permission. If
 * several make it at once, one succeeds and the others find it: none waits for a lock.
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

/** Schemas that a warning names: a database of many tenants has hundreds. */
const namedMax = 3

/** Warns of other stores before a new and empty one is made: its schema may be misspelt. */
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
    `New and empty tables are made in schema ${home}, and the database has tables of Verbatim in ` +
      `schema ${names.slice(0, namedMax).join(", ")}${more}: name that one if it is meant.`
  )
})

/** Makes the schema of the tables where its name is known, and refuses sessions without one. */
export const makeHome = Effect.fnUntraced(function* (
  sql: Sql
): Effect.fn.Return<void, MigrationError | SqlError.SqlError> {
  yield* ensureSchema(sql, traitsOf(sql).home)
  const [row] = yield* sql<{ readonly path: string; readonly home: string | null }>`
    SELECT current_setting('search_path') AS path, current_schema()::text AS home`
  if (row === undefined) return
  const { home, path } = row
  if (home === null) {
    return yield* new MigrationError({ reason: reasons.SchemaMissing.make({ path }) })
  }
  yield* warnOfOthers(sql, home)
})
