/** Reads rows by the values of columns, in the best way for each database. */
import type { Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { BatchName } from "../SqlTable.ts"
import type { Row } from "./Row.ts"

/** A text column that rows are looked up by. */
interface LookupColumn {
  readonly column: string
  /** Its name in the rows of `select`. */
  readonly field: string
}

/** A read, with the statement that runs it. */
interface ReadOptions {
  /** The name for metrics. */
  readonly name: BatchName
  /** Returns the statement for a condition on the columns. */
  readonly select: (condition: Statement.Fragment) => Statement.Statement<Row>
  /** Most requests per statement. */
  readonly sizeMax: number
}

/** A read of rows by one column. */
interface RowsRead extends ReadOptions, LookupColumn {}

/** A read of the one row with certain values, and its decoder. */
interface RowFind<A, E> extends ReadOptions {
  readonly by: ReadonlyArray<LookupColumn>
  /** The names of the columns of `select`, in order. */
  readonly aliases: ReadonlyArray<string>
  readonly read: (row: Row) => Effect.Effect<A, E>
}

/** Finds and locks rows in one database. */
export interface RowReads {
  /** Whether a column has one of these values: the same statement for lists of all lengths. */
  readonly isAmong: (
    sql: SqlClient.SqlClient,
    column: string,
    values: Iterable<string>
  ) => Statement.Fragment
  /**
   * Reads the rows with a value, in the order of the statement. On a server, concurrent requests
   * share a statement.
   */
  readonly makeRead: (
    sql: SqlClient.SqlClient,
    reading: RowsRead
  ) => (value: string) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
  /**
   * Finds the row with these values, in the order of their columns. No two rows have the same
   * values.
   */
  readonly makeFind: <A, E>(
    sql: SqlClient.SqlClient,
    finding: RowFind<A, E>
  ) => (...values: ReadonlyArray<string>) => Effect.Effect<Option.Option<A>, E | SqlError.SqlError>
  /** Ends a query for rows to change: skips rows that others have locked. */
  readonly passingLocked: string
}
