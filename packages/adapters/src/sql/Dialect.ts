/**
 * Every place where dialects of SQL differ for the stores. A second dialect adds its case to each
 * `onDialectOrElse`; the statements themselves are common to SQLite and Postgres.
 */
import { Clock, Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

type Sql = SqlClient.SqlClient

/** The column types and table options that are not spelled alike. */
export const types = (sql: Sql) =>
  sql.onDialectOrElse({
    orElse: () => ({
      /** An integer of 64 bits. */
      int: sql.literal("INTEGER"),
      /** A primary key that counts up. */
      sequence: sql.literal("INTEGER PRIMARY KEY"),
      /** SQLite checks types only when told to. */
      strict: sql.literal("STRICT"),
      /** For tables of small rows: they live in their primary key. */
      clustered: sql.literal("STRICT, WITHOUT ROWID")
    })
  })

/** A list to be used after IN. As one parameter it is one statement for all lengths. */
export const list = (sql: Sql, values: Iterable<string>): Statement.Fragment =>
  sql.onDialectOrElse({
    orElse: () => sql`(SELECT value FROM json_each(${JSON.stringify([...values])}))`
  })

/** A table `held (job_id, token)` of leases, to be used after FROM; one parameter too. */
export const held = (
  sql: Sql,
  leases: ReadonlyArray<{ readonly jobId: string; readonly token: string }>
): Statement.Fragment =>
  sql.onDialectOrElse({
    orElse: () => sql`
      (SELECT value ->> 'jobId' AS job_id, value ->> 'token' AS token
       FROM json_each(${JSON.stringify(leases)})) AS held`
  })

/**
 * Runs statements on leases with the store's own time, in milliseconds, read when nobody else can
 * write any more: waiting for that may have taken seconds.
 */
export const atStoreTime = <A, E>(
  sql: Sql,
  statements: (nowMillis: number) => Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError.SqlError> =>
  sql.onDialectOrElse({
    orElse: () => sql.withTransaction(Effect.flatMap(Clock.currentTimeMillis, statements))
  })

/** Runs statements in a transaction in which nobody else founds a workspace. */
export const alone = <A, E>(
  sql: Sql,
  statements: Effect.Effect<A, E>
): Effect.Effect<A, E | SqlError.SqlError> =>
  sql.onDialectOrElse({
    // SQLite has one writer at a time: its transactions are alone from their first statement.
    orElse: () => sql.withTransaction(statements)
  })
