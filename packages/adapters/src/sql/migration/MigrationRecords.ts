/**
 * Reads and writes the migration records in `verbatim_migrations`: how far each migration has
 * progressed, whether it is complete, and which code can still run.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Migration, SchemaStatements } from "./Migration.ts"

type Sql = SqlClient.SqlClient
type Schema = SchemaStatements["Service"]

/** The recorded progress of one migration. */
export interface Progress {
  readonly id: number
  readonly name: string
  readonly isDone: boolean
  /** The number of steps that have taken effect. */
  readonly steps: number
  /** The migration's `compatibleSince`, or 0 if any code can run. */
  readonly compatibleSince: number
}

/**
 * The migration number that marks a database as an incomplete copy. No code knows this migration or
 * is compatible with it.
 */
const copyMarker = 2_147_483_647

/** Whether a migration record marks an incomplete copy. */
export const isCopyMarker = ({ id }: Pick<Progress, "id">): boolean => id === copyMarker

const rowOf = ({ compatibleSince, id, isDone, name, steps }: Progress) => ({
  migration_id: id,
  name,
  steps,
  compatible_since: compatibleSince,
  is_done: isDone ? 1 : 0
})

/** Marks this database as an incomplete copy, in the caller's transaction. */
export const markCopy = Effect.fnUntraced(function* (
  sql: Sql
): Effect.fn.Return<void, SqlError.SqlError> {
  yield* createTable(sql)
  const mark = {
    id: copyMarker,
    name: "copy",
    steps: 0,
    compatibleSince: copyMarker,
    isDone: false
  }
  yield* sql`INSERT INTO verbatim_migrations ${sql.insert(rowOf(mark))}
    ON CONFLICT (migration_id) DO NOTHING`
})

/** Whether any migration has begun. */
export const hasRecords = (sql: Sql, schema: Schema): Effect.Effect<boolean, SqlError.SqlError> =>
  schema.hasTable(sql, "verbatim_migrations")

/** Removes the marker when the copy is complete. */
export const unmarkCopy = (sql: Sql): Effect.Effect<unknown, SqlError.SqlError> =>
  sql`DELETE FROM verbatim_migrations WHERE migration_id = ${copyMarker}`

/** Whether this database is an incomplete copy. */
export const isMarked = (sql: Sql): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(
    sql`SELECT 1 FROM verbatim_migrations WHERE migration_id = ${copyMarker}`,
    (rows) => rows.length > 0
  )

/** Creates the table of migration records if it is missing. */
export const createTable = (sql: Sql): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(
    sql`CREATE TABLE IF NOT EXISTS verbatim_migrations (
      migration_id INTEGER PRIMARY KEY NOT NULL,
      name TEXT NOT NULL,
      steps INTEGER NOT NULL,
      compatible_since INTEGER NOT NULL,
      is_done INTEGER NOT NULL
    )`
  )

/**
 * Converts integers to numbers, because some connections, such as the connection to a copy's
 * source, return every integer as a `bigint`.
 */
const toProgress = (row: Readonly<Record<string, unknown>>): Progress => ({
  id: Number(row.migration_id),
  name: String(row.name),
  isDone: Number(row.is_done) === 1,
  steps: Number(row.steps),
  compatibleSince: Number(row.compatible_since)
})

/**
 * Reads all migrations that have begun. The records from builds before the first release have fewer
 * columns.
 */
export const read = Effect.fnUntraced(function* (
  sql: Sql,
  schema: Schema
): Effect.fn.Return<ReadonlyArray<Progress>, SqlError.SqlError> {
  if (!(yield* hasRecords(sql, schema))) return []
  return (yield* sql`SELECT * FROM verbatim_migrations`).map(toProgress)
})

/**
 * Records that a step has taken effect. After the last step, also records that the migration is
 * complete.
 */
export const record = (
  sql: Sql,
  { compatibleSince = 0, id, name, steps }: Migration,
  done: number
): Effect.Effect<unknown, SqlError.SqlError> => {
  const row = rowOf({ id, name, steps: done, compatibleSince, isDone: done >= steps.length })
  return sql`INSERT INTO verbatim_migrations ${sql.insert(row)}
    ON CONFLICT (migration_id) DO UPDATE SET steps = excluded.steps, is_done = excluded.is_done`
}
