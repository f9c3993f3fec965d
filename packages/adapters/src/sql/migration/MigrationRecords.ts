/**
 * What a database records of its migrations, in `verbatim_migrations`: how far each one came,
 * whether it is done, and which code may still run.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Migration, SchemaStatements } from "./Migration.ts"

type Sql = SqlClient.SqlClient
type Schema = SchemaStatements["Service"]

/** How far one migration has come. */
export interface Progress {
  readonly id: number
  readonly name: string
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

/** The row of a migration. */
const rowOf = ({ compatibleSince, id, isDone, name, steps }: Progress) => ({
  migration_id: id,
  name,
  steps,
  compatible_since: compatibleSince,
  is_done: isDone ? 1 : 0
})

/** Marks this database as a copy that is not complete, in a transaction of the caller. */
export const markCopy = Effect.fnUntraced(function* (
  sql: Sql
): Effect.fn.Return<void, SqlError.SqlError> {
  yield* prepare(sql)
  const mark = { id: copyMark, name: "copy", steps: 0, compatibleSince: copyMark, isDone: false }
  yield* sql`INSERT INTO verbatim_migrations ${sql.insert(rowOf(mark))}
    ON CONFLICT (migration_id) DO NOTHING`
})

/** Whether any migration has begun. */
export const isThere = (sql: Sql, schema: Schema): Effect.Effect<boolean, SqlError.SqlError> =>
  schema.isThere(sql, "verbatim_migrations")

/** Removes the mark when the copy is complete. */
export const unmarkCopy = (sql: Sql): Effect.Effect<unknown, SqlError.SqlError> =>
  sql`DELETE FROM verbatim_migrations WHERE migration_id = ${copyMark}`

/** Whether this database is a copy that is not complete. */
export const isMarked = (sql: Sql): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(
    sql`SELECT 1 FROM verbatim_migrations WHERE migration_id = ${copyMark}`,
    (rows) => rows.length > 0
  )

/** Makes the table where it is missing. */
export const prepare = (sql: Sql): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(
    sql`CREATE TABLE IF NOT EXISTS verbatim_migrations (
      migration_id INTEGER PRIMARY KEY NOT NULL,
      name TEXT NOT NULL,
      steps INTEGER NOT NULL,
      compatible_since INTEGER NOT NULL,
      is_done INTEGER NOT NULL
    )`
  )

/** Numbers, also where a connection gives every integer as a `bigint`, as the source of a copy. */
const toProgress = (row: Readonly<Record<string, unknown>>): Progress => ({
  id: Number(row.migration_id),
  name: String(row.name),
  isDone: Number(row.is_done) === 1,
  steps: Number(row.steps),
  compatibleSince: Number(row.compatible_since)
})

/** All migrations that have begun. Builds before the first release recorded fewer columns. */
export const read = Effect.fnUntraced(function* (
  sql: Sql,
  schema: Schema
): Effect.fn.Return<ReadonlyArray<Progress>, SqlError.SqlError> {
  if (!(yield* isThere(sql, schema))) return []
  return (yield* sql`SELECT * FROM verbatim_migrations`).map(toProgress)
})

/** Records that a step has taken effect, and with the last step the whole migration. */
export const record = (
  sql: Sql,
  { compatibleSince = 0, id, name, steps }: Migration,
  done: number
): Effect.Effect<unknown, SqlError.SqlError> => {
  const row = rowOf({ id, name, steps: done, compatibleSince, isDone: done >= steps.length })
  return sql`INSERT INTO verbatim_migrations ${sql.insert(row)}
    ON CONFLICT (migration_id) DO UPDATE SET steps = excluded.steps, is_done = excluded.is_done`
}
