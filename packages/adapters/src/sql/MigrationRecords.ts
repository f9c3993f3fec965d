/**
 * What a database remembers of its migrations: `verbatim_migrations` has those that are done, as
 * Effect's own migrator keeps them, which earlier versions ran; `verbatim_migration_steps` how far
 * each one came, and which code may still run.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Migration } from "./Migration.ts"

type Sql = SqlClient.SqlClient

/** How far one migration has come. */
export interface Progress {
  readonly id: number
  readonly isDone: boolean
  /** Steps that have taken effect. */
  readonly steps: number
  /** See `Migration`; 0 when any code may run. */
  readonly compatibleSince: number
}

const isThere = (sql: Sql, table: string): Effect.Effect<boolean, SqlError.SqlError> => {
  const found = sql.onDialectOrElse({
    pg: () => sql`SELECT 1 WHERE to_regclass(${table}) IS NOT NULL`,
    orElse: () => sql`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ${table}`
  })
  return Effect.map(found, (rows) => rows.length > 0)
}

/** Makes the two tables where they are missing. */
export const prepare = (sql: Sql): Effect.Effect<void, SqlError.SqlError> => {
  const createdAt = sql.onDialectOrElse({
    pg: () => sql.literal("TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT now()"),
    orElse: () => sql.literal("DATETIME NOT NULL DEFAULT current_timestamp")
  })
  return Effect.asVoid(
    Effect.andThen(
      sql`CREATE TABLE IF NOT EXISTS verbatim_migrations (
        migration_id INTEGER PRIMARY KEY NOT NULL,
        created_at ${createdAt},
        name TEXT NOT NULL
      )`,
      sql`CREATE TABLE IF NOT EXISTS verbatim_migration_steps (
        migration_id INTEGER PRIMARY KEY NOT NULL,
        steps INTEGER NOT NULL,
        compatible_since INTEGER NOT NULL
      )`
    )
  )
}

/** All migrations that have begun. */
export const read = Effect.fnUntraced(function* (
  sql: Sql
): Effect.fn.Return<ReadonlyArray<Progress>, SqlError.SqlError> {
  // Done before begun: one that ends between the two looks is then taken for one that goes on.
  const done = (yield* isThere(sql, "verbatim_migrations"))
    ? yield* sql<{ readonly id: number }>`SELECT migration_id AS id FROM verbatim_migrations`
    : []
  const begun = (yield* isThere(sql, "verbatim_migration_steps"))
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

/**
 * Takes the records for the rest of the transaction, so that nobody else writes a step meanwhile,
 * Effect's migrator included. They can still be read.
 */
export const take = (sql: Sql): Effect.Effect<unknown, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () => sql`LOCK TABLE verbatim_migrations IN SHARE ROW EXCLUSIVE MODE`,
    // SQLite has one writer at a time.
    orElse: () => Effect.void
  })

/** Records that a step has taken effect, the last of its migration with the whole. */
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
