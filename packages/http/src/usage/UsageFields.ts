/** What sums and lines of ledgers have in common on the wire: amounts, and pages. */
import { Schema } from "effect"
import { orNull } from "../AnswerFields.ts"

/** Makes a field of minutes as people read them. */
export const makeMinutes = (what: string) =>
  Schema.String.annotate({ description: `${what}, as a decimal number with two digits.` })

/** Makes the same for whoever sums. */
export const makeMillis = (what: string) =>
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
