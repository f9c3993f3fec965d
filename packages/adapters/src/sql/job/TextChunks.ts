/** Splits long text into chunks, because a message to Postgres holds at most 16 MiB. */
import type { Array } from "effect"

/** Number of UTF-16 units in a chunk, which takes at most 192 KiB in UTF-8. */
export const chunkLengthMax = 64 * 1024

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Splits text, but never inside a character. Returns at least one chunk. */
export const split = (text: string): ReadonlyArray<string> => {
  const chunks: Array<string> = []
  let start = 0
  do {
    const limit = start + chunkLengthMax
    const end = isHighSurrogate(text.charCodeAt(limit - 1)) ? limit - 1 : limit
    chunks.push(text.slice(start, end))
    start = end
  } while (start < text.length)
  return chunks
}

/**
 * Maximum number of UTF-16 units per statement, unless a single chunk is longer. These units take
 * at most 3 MiB in UTF-8.
 */
const batchMax = 16 * chunkLengthMax

/** Groups rows of chunks into one batch per statement. */
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
