/** Creates connections from a function that runs a statement, and reads exact integers. */
import { Effect, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** Runs a statement, and returns the rows. */
export type RunStatement = (
  sql: string,
  params: ReadonlyArray<unknown>
) => Effect.Effect<Rows, SqlError.SqlError>

/** Creates a connection that runs every statement with the given function. */
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

/**
 * Converts an integer to a number. An integer that no number can represent exactly stays unchanged,
 * and the column's schema rejects the value.
 */
export const toExact = <A extends bigint | string>(integer: A): A | number => {
  const number = Number(integer)
  return Number.isSafeInteger(number) ? number : integer
}
