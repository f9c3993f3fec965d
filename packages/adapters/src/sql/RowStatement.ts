/**
 * Statements that insert one row, put together once: with a preset's fourteen columns that took as
 * long as SQLite took to write them.
 */
import type { SqlClient, Statement } from "effect/sql"
import type { Row } from "./Row.ts"

/** A statement with a place for the columns and values of a row. */
export interface RowTemplate {
  readonly columns: ReadonlyArray<string>
  readonly statement: (values: Statement.RecordInsertHelper) => Statement.Statement<unknown>
}

/** Makes the text, and runs it with the values of other rows. */
export const rowStatement = (
  sql: SqlClient.SqlClient,
  { columns, statement }: RowTemplate
): ((row: Row) => Statement.Statement<Row>) => {
  const empty = Object.fromEntries(columns.map((column) => [column, null]))
  const [text] = statement(sql.insert(empty)).compile()
  return (row) =>
    sql.unsafe<Row>(
      text,
      columns.map((column) => row[column])
    )
}
