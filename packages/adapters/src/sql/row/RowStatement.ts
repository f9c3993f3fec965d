/**
 * Statements that insert one row, put together once: for a preset's fourteen columns that took as
 * long as SQLite took to write them.
 */
import { Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { traitsOf } from "../names/ClientTraits.ts"
import type { Row } from "./Row.ts"

/** A statement with a place for the columns and values of a row. */
export interface RowTemplate {
  readonly columns: ReadonlyArray<string>
  readonly statement: (values: Statement.RecordInsertHelper) => Statement.Statement<unknown>
}

/** A row without values, in place of any other where a text is put together. */
export const emptyRow = (columns: ReadonlyArray<string>): Row =>
  Object.fromEntries(columns.map((column) => [column, null]))

/** Makes the text, and runs it with the values of other rows. */
export const rowStatement = (
  sql: SqlClient.SqlClient,
  { columns, statement }: RowTemplate
): ((row: Row) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>) => {
  const [text] = statement(sql.insert(emptyRow(columns))).compile()
  const transaction = Effect.serviceOption(sql.transactionService)
  // Rows of somebody else's connection are not read as ours are.
  if (!traitsOf(sql).isOurs) {
    return (row) =>
      sql.unsafe<Row>(
        text,
        columns.map((column) => row[column])
      )
  }
  return (row) => {
    const values = columns.map((column) => row[column])
    return Effect.flatMap(
      transaction,
      Option.match({
        onNone: () => sql.unsafe<Row>(text, values),
        // The connection is there, and the text is final: no span, and no statement to compile.
        onSome: ([connection]) => connection.execute(text, values, undefined)
      })
    )
  }
}
