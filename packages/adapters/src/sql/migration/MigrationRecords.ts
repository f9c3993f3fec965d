/**
 * What a database remembers of its migrations: `verbatim_migrations` has those that are done;
 * `verbatim_migration_steps` has how far each one came, and which code may still run.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Migration } from "./Migration.ts"
import type { SchemaStatements } from "./SchemaStatements.ts"

type Sql = SqlClient.SqlClient
type Schema = SchemaStatements["Service"]

/** How far one migration has come. */
export interface Progress {
  readonly id: number
  readonly isDone: boolean
  /** Steps that have taken effect. */
  readonly steps: number
  /** See `Migration`; 0 when any code may run. */
  readonly compatibleSince: number
}

/**
 * Stands among the records while a copy into this database is not complete, as a migration that no
 * code knows, next to which none may work.
 */
const copyMark = 2_147_483_647

/** Whether a record is that mark. */
export const isCopyMark = ({ id }: Pick<Progress, "id">): boolean => id === copyMark

/** Says that this database will be a copy, and is none yet: in a transaction of the caller. */
export const markCopy = Effect.fnUntraced(function* (
  sql: Sql,
  schema: Schema
): Effect.fn.Return<void, SqlError.SqlError> {
  yield* prepare(sql, schema)
  const row = { migration_id: copyMark, steps: 0, compatible_since: copyMark }
  yield* sql`INSERT INTO verbatim_migration_steps ${sql.insert(row)}
    ON CONFLICT (migration_id) DO NOTHING`
})

/** Whether a database remembers how far migrations came. */
export const isThere = (sql: Sql, schema: Schema): Effect.Effect<boolean, SqlError.SqlError> =>
  schema.isThere(sql, "verbatim_migration_steps")

/** Whether any migration, or an earlier version's, has begun. */
export const areThere = (sql: Sql, schema: Schema): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.flatMap(isThere(sql, schema), (isBegun) =>
    isBegun ? Effect.succeed(true) : schema.isThere(sql, "verbatim_migrations")
  )

/** Says that the copy is complete. */
export const unmarkCopy = (sql: Sql): Effect.Effect<unknown, SqlError.SqlError> =>
  sql`DELETE FROM verbatim_migration_steps WHERE migration_id = ${copyMark}`

/** Whether this database is a copy that is not complete. */
export const isMarked = (sql: Sql): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(
    sql`SELECT 1 FROM verbatim_migration_steps WHERE migration_id = ${copyMark}`,
    (rows) => rows.length > 0
  )

/** Makes the two tables where they are missing. */
export const prepare = (sql: Sql, schema: Schema): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(
    Effect.andThen(
      sql`CREATE TABLE IF NOT EXISTS verbatim_migrations (
        migration_id INTEGER PRIMARY KEY NOT NULL,
        created_at ${sql.literal(schema.createdAt)},
        name TEXT NOT NULL
      )`,
      sql`CREATE TABLE IF NOT EXISTS verbatim_migration_steps (
        migration_id INTEGER PRIMARY KEY NOT NULL,
        steps INTEGER NOT NULL,
        compatible_since INTEGER NOT NULL
      )`
    )
  )

/** A number, also where a connection gives every integer as a `bigint`, as the source of a copy. */
const toProgress = (row: Progress): Progress => ({
  id: Number(row.id),
  isDone: row.isDone,
  steps: Number(row.steps),
  compatibleSince: Number(row.compatibleSince)
})

/** All migrations that have begun. */
export const read = Effect.fnUntraced(function* (
  sql: Sql,
  schema: Schema
): Effect.fn.Return<ReadonlyArray<Progress>, SqlError.SqlError> {
  // The done ones are read first: one that ends between the two reads then counts as still running.
  const done = (yield* schema.isThere(sql, "verbatim_migrations"))
    ? yield* sql<{ readonly id: number }>`SELECT migration_id AS id FROM verbatim_migrations`
    : []
  const begun = (yield* isThere(sql, schema))
    ? yield* sql<Omit<Progress, "isDone">>`SELECT migration_id AS id, steps,
        compatible_since AS "compatibleSince" FROM verbatim_migration_steps`
    : []
  const ids = new Set(done.map(({ id }) => id))
  return begun.map((one) => toProgress({ ...one, isDone: ids.has(one.id) }))
})

/** Records that a step has taken effect, and with the last step the whole migration. */
export const record = Effect.fnUntraced(function* (
  sql: Sql,
  { compatibleSince = 0, id, name, steps }: Migration,
  done: number
): Effect.fn.Return<void, SqlError.SqlError> {
  const row = { migration_id: id, steps: done, compatible_since: compatibleSince }
  yield* sql`INSERT INTO verbatim_migration_steps ${sql.insert(row)}
    ON CONFLICT (migration_id) DO UPDATE SET steps = excluded.steps`
  if (done < steps.length) return
  yield* sql`INSERT INTO verbatim_migrations ${sql.insert({ migration_id: id, name })}`
})
