/**
 * What a database remembers of its migrations: `verbatim_migrations` has those that are done, in
 * the form of Effect's own migrator, which earlier versions used; `verbatim_migration_steps` has
 * how far each one came, and which code may still run.
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

/** Makes the two tables where they are missing. */
export const prepare = (sql: Sql, schema: Schema): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(
    Effect.andThen(
      sql`CREATE TABLE IF NOT EXISTS verbatim_migrations (
        migration_id INTEGER PRIMARY KEY NOT NULL,
        created_at ${schema.types(sql).createdAt},
        name TEXT NOT NULL
      )`,
      sql`CREATE TABLE IF NOT EXISTS verbatim_migration_steps (
        migration_id INTEGER PRIMARY KEY NOT NULL,
        steps INTEGER NOT NULL,
        compatible_since INTEGER NOT NULL
      )`
    )
  )

/** All migrations that have begun. */
export const read = Effect.fnUntraced(function* (
  sql: Sql,
  schema: Schema
): Effect.fn.Return<ReadonlyArray<Progress>, SqlError.SqlError> {
  // The done ones are read first: one that ends between the two reads then counts as still running.
  const done = (yield* schema.isThere(sql, "verbatim_migrations"))
    ? yield* sql<{ readonly id: number }>`SELECT migration_id AS id FROM verbatim_migrations`
    : []
  const begun = (yield* schema.isThere(sql, "verbatim_migration_steps"))
    ? yield* sql<Omit<Progress, "isDone">>`SELECT migration_id AS id, steps,
        compatible_since AS "compatibleSince" FROM verbatim_migration_steps`
    : []
  const ids = new Set(done.map(({ id }) => id))
  const old = done.filter(({ id }) => begun.every((one) => one.id !== id))
  return [
    ...begun.map((one) => ({ ...one, isDone: ids.has(one.id) })),
    ...old.map(({ id }) => ({ id, isDone: true, steps: 0, compatibleSince: 0 }))
  ]
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
