/** Creates connections from a function that runs a statement, and reads exact integers. */
import { Effect, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** Runs a statement, and returns the rows. The session keeps no plan of unprepared statements. */
export type RunStatement = (
  sql: string,
  params: ReadonlyArray<unknown>,
  isUnprepared?: boolean
) => Effect.Effect<Rows, SqlError.SqlError>

/** Creates a connection that runs every statement with the given function. */
export const makeRowConnection = (run: RunStatement): SqlConnection.Connection => {
  const makeExecute =
    (isUnprepared: boolean): SqlConnection.Connection["execute"] =>
    (sql, params, transform) => {
      const rows = run(sql, params, isUnprepared)
      return transform === undefined ? rows : Effect.map(rows, (found) => transform(found))
    }
  const makeValues =
    (isUnprepared: boolean): SqlConnection.Connection["executeValues"] =>
    (sql, params) =>
      Effect.map(run(sql, params, isUnprepared), (rows) => rows.map((row) => Object.values(row)))
  const execute = makeExecute(false)
  return {
    execute,
    executeUnprepared: makeExecute(true),
    executeRaw: (sql, params) => run(sql, params, false),
    executeValues: makeValues(false),
    executeValuesUnprepared: makeValues(true),
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
