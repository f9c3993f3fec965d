/**
 * Reads of rows by the value of one column: what fibers ask for at the same time is one statement.
 */
import { Array, Effect, Option } from "effect"
import type { RowReads } from "../../sql/row/RowReads.ts"
import { gather } from "../gather/Gathered.ts"

/** A list is one parameter. As an array Postgres takes it for short, and looks each value up. */
export const isAmong: RowReads["isAmong"] = (sql, column, values) => {
  const text = JSON.stringify([...values])
  return sql`${sql(column)} = ANY (ARRAY(SELECT jsonb_array_elements_text(${text}::jsonb)))`
}

/** The rows with a value, in the order of the statement. */
export const makeRead: RowReads["makeRead"] = (sql, { column, field, select, sizeMax }) => {
  const rowsOf = (values: ReadonlyArray<string>) =>
    Effect.map(select(isAmong(sql, column, new Set(values))), (rows) => {
      const found = Map.groupBy(rows, (row) => row[field])
      return values.map((value) => found.get(value) ?? [])
    })
  return gather(sql, {
    sizeMax,
    subjects: () => [],
    answerAll: (values) => Effect.map(rowsOf(values), Array.map(Option.some)),
    answerOne: (value) => Effect.map(rowsOf([value]), ([rows]) => rows ?? [])
  })
}
