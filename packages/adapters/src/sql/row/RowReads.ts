/** Reads rows by the values of columns, in the best way of each database. */
import type { Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { QuestionName } from "../SqlTable.ts"
import type { Row } from "./Row.ts"

/** A column of text that rows are read by. */
interface By {
  readonly column: string
  /** Its name in the rows of `select`. */
  readonly field: string
}

/** What is read, and by what statement. */
interface Asking {
  /** For those who count. */
  readonly name: QuestionName
  /** The statement for a condition on the columns. */
  readonly select: (condition: Statement.Fragment) => Statement.Statement<Row>
  /** Questions in one statement. */
  readonly sizeMax: number
}

/** Which rows. */
interface Reading extends Asking, By {}

/** The one row with certain values, and what is made of it. */
interface Finding<A, E> extends Asking {
  readonly by: ReadonlyArray<By>
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
  /** Finds the row with values, in the order of their columns, that no two rows have together. */
  readonly makeFind: <A, E>(
    sql: SqlClient.SqlClient,
    finding: Finding<A, E>
  ) => (...values: ReadonlyArray<string>) => Effect.Effect<Option.Option<A>, E | SqlError.SqlError>
  /** Ends a query for rows to change: it skips those that somebody has locked. */
  readonly passingLocked: string
}
