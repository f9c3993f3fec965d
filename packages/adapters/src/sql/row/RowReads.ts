/**
 * Reads of rows by the values of one column, for which each database has a best way.
 */
import type { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Row } from "./Row.ts"

/** Which rows. */
interface Reading {
  /** A column of text. */
  readonly column: string
  /** How the rows of `select` call it. */
  readonly field: string
  /** The statement for a condition on that column. */
  readonly select: (condition: Statement.Fragment) => Statement.Statement<Row>
  /** Values in one statement. */
  readonly sizeMax: number
}

/** How a database finds rows. */
export interface RowReads {
  /** Whether a column has one of these values: one statement for lists of all lengths. */
  readonly isAmong: (
    sql: SqlClient.SqlClient,
    column: string,
    values: Iterable<string>
  ) => Statement.Fragment
  /**
   * Reads the rows with a value, in the order of the statement. Where a server answers, what fibers
   * ask for at the same time is one statement.
   */
  readonly makeRead: (
    sql: SqlClient.SqlClient,
    reading: Reading
  ) => (value: string) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
  /** Ends a query for rows to change: it passes over those that somebody has locked. */
  readonly passingLocked: string
}
