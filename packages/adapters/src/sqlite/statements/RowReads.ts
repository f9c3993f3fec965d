/** Reads rows by the values of one column. A database inside the process answers each at once. */
import type { RowReads } from "../../sql/row/RowReads.ts"

/** A list is one parameter. */
export const isAmong: RowReads["isAmong"] = (sql, column, values) => {
  const text = JSON.stringify([...values])
  return sql`${sql(column)} IN (SELECT value FROM json_each(${text}))`
}

/** The rows with a value. */
export const makeRead: RowReads["makeRead"] =
  (sql, { column, select }) =>
  (value) =>
    select(sql`${sql(column)} = ${value}`)
