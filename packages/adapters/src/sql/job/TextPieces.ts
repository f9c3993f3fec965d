/** Splits long texts into pieces, because a message to Postgres holds at most 16 MiB. */
import type { Array } from "effect"

/** Number of UTF-16 units in a piece, which has at most 192 KiB in UTF-8. */
export const pieceLengthMax = 64 * 1024

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Splits a text, never inside a character. There is at least one piece. */
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

/**
 * Number of UTF-16 units per statement, unless a single piece is longer. They take at most 3 MiB in
 * UTF-8.
 */
const batchMax = 16 * pieceLengthMax

/** Groups rows of pieces into one batch per statement. */
export const toBatches = <Row extends { readonly content: string }>(
  rows: ReadonlyArray<Row>
): ReadonlyArray<Array.NonEmptyArray<Row>> => {
  const batches: Array<Array.NonEmptyArray<Row>> = []
  let length = 0
  for (const row of rows) {
    const open = batches.at(-1)
    length += row.content.length
    if (open === undefined || length > batchMax) {
      batches.push([row])
      length = row.content.length
    } else open.push(row)
  }
  return batches
}
