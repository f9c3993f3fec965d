/** Long texts in pieces: one message to Postgres holds at most 16 MiB. */
import type { Array } from "effect"

/** UTF-16 units in a piece: in UTF-8 at most 192 KiB. */
export const pieceLengthMax = 64 * 1024

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** The pieces in order, none of them ending inside a character. A text has at least one. */
export const split = (text: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  let start = 0
  do {
    const limit = start + pieceLengthMax
    const end = isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit
    pieces.push(text.slice(start, end))
    start = end
  } while (start < text.length)
  return pieces
}

/** UTF-16 units of the pieces in one statement, unless it has one alone: 3 MiB at most. */
const togetherMax = 16 * pieceLengthMax

/** Rows of pieces as statements take them. */
export const together = <Row extends { readonly content: string }>(
  rows: ReadonlyArray<Row>
): ReadonlyArray<Array.NonEmptyArray<Row>> => {
  const batches: Array<Array.NonEmptyArray<Row>> = []
  let length = 0
  for (const row of rows) {
    const open = batches.at(-1)
    length += row.content.length
    if (open === undefined || length > togetherMax) {
      batches.push([row])
      length = row.content.length
    } else open.push(row)
  }
  return batches
}
