/** Reads rows by the value of one column, in one statement for all fibers that ask at one time. */
import { Array, Effect, Option } from "effect"
import { makeFirst } from "../../sql/row/RowMaking.ts"
import type { RowReads } from "../../sql/row/RowReads.ts"
import { gather } from "../gather/Gathered.ts"

/** A list is one parameter. Postgres assumes that an array is short, and looks each value up. */
export const isAmong: RowReads["isAmong"] = (sql, column, values) => {
  const text = JSON.stringify([...values])
  return sql`${sql(column)} = ANY (ARRAY(SELECT jsonb_array_elements_text(${text}::jsonb)))`
}

/** The rows with a value, in the order of the statement. */
export const makeRead: RowReads["makeRead"] = (sql, { column, field, name, select, sizeMax }) => {
  const rowsOf = (values: ReadonlyArray<string>) =>
    Effect.map(select(isAmong(sql, column, new Set(values))), (rows) => {
      const found = Map.groupBy(rows, (row) => row[field])
      return values.map((value) => found.get(value) ?? [])
    })
  return gather(sql, {
    name,
    sizeMax,
    subjects: () => [],
    answerAll: (values) => Effect.map(rowsOf(values), Array.map(Option.some)),
    answerOne: (value) => Effect.map(rowsOf([value]), ([rows]) => rows ?? [])
  })
}

/** The row with a value. */
export const makeFind: RowReads["makeFind"] = (sql, finding) => {
  const ask = makeRead(sql, finding)
  const first = makeFirst(finding)
  return (value) => Effect.flatMap(ask(value), (rows) => first(value, rows))
}
