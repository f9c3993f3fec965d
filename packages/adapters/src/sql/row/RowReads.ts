/** Reads rows by column values, in the way that is best for each database. */
import type { Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { BatchName } from "../SqlMetrics.ts"
import type { Row } from "./Row.ts"

/** A text column by which rows are looked up. */
interface LookupColumn {
  readonly column: string
  /** The name of the column in the rows of `select`. */
  readonly field: string
}

/** Options for reading rows: the name in metrics, the statement and the limit. */
interface ReadOptions {
  /** The name of this read in metrics. */
  readonly name: BatchName
  /** Returns the statement for a condition on columns. */
  readonly select: (condition: Statement.Fragment) => Statement.Statement<Row>
  /** Maximum number of requests per statement. */
  readonly sizeMax: number
}

/** Reads rows by one column. */
interface RowsRead extends ReadOptions, LookupColumn {}

/** Options for reading the one row with given values, including the row's decoder. */
interface RowLookup<A, E> extends ReadOptions {
  readonly by: ReadonlyArray<LookupColumn>
  /** The names of the columns of `select`, in order. */
  readonly aliases: ReadonlyArray<string>
  readonly read: (row: Row) => Effect.Effect<A, E>
}

/** Rows as JSON, with the columns' names and types. */
interface JsonRows {
  readonly name: string
  readonly json: string
  readonly columns: Readonly<Record<string, "BIGINT" | "INTEGER" | "TEXT">>
}

/** Finds and locks rows in one database. */
export interface RowReads {
  /**
   * The condition that a column has one of these values. Lists of any length result in the same
   * statement.
   */
  readonly isAmong: (
    sql: SqlClient.SqlClient,
    column: string,
    values: Iterable<string>
  ) => Statement.Fragment
  /** Converts a JSON parameter to rows that can be joined. */
  readonly fromJson: (sql: SqlClient.SqlClient, rows: JsonRows) => Statement.Fragment
  /**
   * Reads the rows that have a given value in a column, in the statement's order. On a server,
   * concurrent requests share a statement.
   */
  readonly makeRead: (
    sql: SqlClient.SqlClient,
    reading: RowsRead
  ) => (value: string) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
  /**
   * Finds the row with these values, given in the order of their columns. No two rows have the same
   * values.
   */
  readonly makeFind: <A, E>(
    sql: SqlClient.SqlClient,
    finding: RowLookup<A, E>
  ) => (...values: ReadonlyArray<string>) => Effect.Effect<Option.Option<A>, E | SqlError.SqlError>
  /** Ends a query for a row to change, so that the query waits if the row is locked. */
  readonly awaitingLocked: string
  /** Ends a query for rows to change, so that the query skips locked rows. */
  readonly passingLocked: string
}
