/** A connection over the driver of a host, which answers a statement with all of its rows. */
import { Effect, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"

/** The rows of a statement. */
type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** Runs a statement. */
export type RunStatement = (
  sql: string,
  params: ReadonlyArray<unknown>
) => Effect.Effect<Rows, SqlError.SqlError>

/** Makes the connection that runs every statement so. */
export const makeRowConnection = (run: RunStatement): SqlConnection.Connection => {
  const execute: SqlConnection.Connection["execute"] = (sql, params, transform) =>
    transform === undefined
      ? run(sql, params)
      : Effect.map(run(sql, params), (rows) => transform(rows))
  const values: SqlConnection.Connection["executeValues"] = (sql, params) =>
    Effect.map(run(sql, params), (rows) => rows.map((row) => Object.values(row)))
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: run,
    executeValues: values,
    executeValuesUnprepared: values,
    executeStream: (sql, params, transform) =>
      Stream.fromIterableEffect(execute(sql, params, transform))
  }
}
