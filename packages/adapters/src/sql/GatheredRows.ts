/**
 * Reads of rows by the value of one column. What fibers ask for at the same time is one statement
 * where a server answers; a database inside the process answers each at once.
 */
import { Array, Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import * as Dialect from "./Dialect.ts"
import { gathered } from "./Gathered.ts"
import type { Row } from "./Row.ts"

/** Which rows. */
export interface Reading {
  /** A column of text. */
  readonly column: string
  /** How the rows of `select` call it. */
  readonly field: string
  /** The statement for a condition on that column. */
  readonly select: (condition: Statement.Fragment) => Statement.Statement<Row>
  /** Values in one statement. */
  readonly sizeMax: number
}

/** The rows with that value, in the order of the statement. */
export const rowsWith = (
  sql: SqlClient.SqlClient,
  { column, field, select, sizeMax }: Reading
): ((value: string) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>) =>
  sql.onDialectOrElse({
    pg: () => {
      const rowsOf = (values: ReadonlyArray<string>) =>
        Effect.map(select(Dialect.isAmong(sql, column, new Set(values))), (rows) => {
          const found = Map.groupBy(rows, (row) => row[field])
          return values.map((value) => found.get(value) ?? [])
        })
      return gathered<string, ReadonlyArray<Row>>(sql, {
        sizeMax,
        subjects: () => [],
        answerAll: (values) => Effect.map(rowsOf(values), Array.map(Option.some)),
        answerOne: (value) => Effect.map(rowsOf([value]), ([rows]) => rows ?? [])
      })
    },
    orElse: () => (value: string) => select(sql`${sql(column)} = ${value}`)
  })
