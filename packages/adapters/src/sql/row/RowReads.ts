/** Reads rows by the values of one column, in the best way of each database. */
import type { Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { QuestionName } from "../SqlTable.ts"
import type { Row } from "./Row.ts"

/** Which rows. */
interface Reading {
  /** What is read, for those who count. */
  readonly name: QuestionName
  /** A column of text. */
  readonly column: string
  /** Its name in the rows of `select`. */
  readonly field: string
  /** The statement for a condition on that column. */
  readonly select: (condition: Statement.Fragment) => Statement.Statement<Row>
  /** Values in one statement. */
  readonly sizeMax: number
}

/** The one row with a value, and what is made of it. */
interface Finding<A, E> extends Reading {
  /** The names of the columns of `select`, in its order. */
  readonly aliases: ReadonlyArray<string>
  readonly read: (row: Row) => Effect.Effect<A, E>
}

/** How a database finds and locks rows. */
export interface RowReads {
  /** Whether a column has one of these values: one statement for lists of all lengths. */
  readonly isAmong: (
    sql: SqlClient.SqlClient,
    column: string,
    values: Iterable<string>
  ) => Statement.Fragment
  /**
   * Reads the rows with a value, in the order of the statement. Where a server answers, questions
   * that fibers ask at the same time are one statement.
   */
  readonly makeRead: (
    sql: SqlClient.SqlClient,
    reading: Reading
  ) => (value: string) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
  /** Finds the row with a value that no two rows have. */
  readonly makeFind: <A, E>(
    sql: SqlClient.SqlClient,
    finding: Finding<A, E>
  ) => (value: string) => Effect.Effect<Option.Option<A>, E | SqlError.SqlError>
  /** Ends a query for rows to change: it skips those that somebody has locked. */
  readonly passingLocked: string
}
