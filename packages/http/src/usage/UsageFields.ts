/**
 * What sums and lines of ledgers have in common on the wire: fields, and the pages that they stand
 * on.
 */
import { Schema } from "effect"

/** A field that may be null, and when it is. */
export const orNull = <S extends Schema.Top>(schema: S, description: string) =>
  Schema.NullOr(schema).annotate({ description })

export const uuid = Schema.String.annotate({ format: "uuid" })
export const instant = Schema.String.annotate({ format: "date-time" })

/** Minutes as people read them. */
export const minutes = (what: string) =>
  Schema.String.annotate({ description: `${what}, as a decimal number with two digits.` })

/** The same for whoever sums. */
export const millis = (what: string) =>
  Schema.Int.annotate({ description: `${what}, exactly: milliseconds of audio.` })

/** Where the next page begins. */
export const nextCursor = orNull(
  Schema.String,
  "The `cursor` of the next page; null on the last one."
)

/** The rows of a page; one more than `limit` shows that another page follows. */
export const cutPage = <Row, View>(
  rows: ReadonlyArray<Row>,
  how: {
    readonly limit: number
    readonly toView: (row: Row) => View
    readonly toCursor: (row: Row) => string
  }
) => {
  const last = rows.length > how.limit ? rows[how.limit - 1] : undefined
  return {
    data: rows.slice(0, how.limit).map(how.toView),
    next_cursor: last === undefined ? null : how.toCursor(last)
  }
}
