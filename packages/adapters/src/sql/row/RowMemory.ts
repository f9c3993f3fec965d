/**
 * Rows that are read again and again: the value of a row that is the same in every column is the
 * one that was made of it before. The row itself is read from the database each time, so what is
 * remembered is never old. Values are shared, and nobody changes them.
 */

/** The text of all rows of a table that are remembered, in UTF-16 units: their values take more. */
const lengthMax = 2_097_152

interface Remembered<Read> {
  readonly columns: ReadonlyArray<unknown>
  readonly read: Read
}

/** What was read of rows, by their ids. */
export interface RowMemory<Read> {
  /** What was made of the row with that id; nothing where a column was another one then. */
  readonly find: (id: unknown, columns: ReadonlyArray<unknown>) => Read | undefined
  readonly keep: (id: unknown, columns: ReadonlyArray<unknown>, read: Read) => void
}

const lengthOf = (columns: ReadonlyArray<unknown>): number => {
  let length = 0
  for (const column of columns) length += typeof column === "string" ? column.length : 1
  return length
}

const areSame = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>): boolean => {
  for (let index = 0; index < one.length; index += 1) {
    if (one[index] !== other[index]) return false
  }
  return true
}

/** An empty memory. When it is full, all of it is forgotten: most of it is soon there again. */
export const makeRowMemory = <Read>(): RowMemory<Read> => {
  const known = new Map<unknown, Remembered<Read>>()
  let length = 0
  return {
    find: (id, columns) => {
      const found = known.get(id)
      return found !== undefined && areSame(found.columns, columns) ? found.read : undefined
    },
    keep: (id, columns, read) => {
      const before = known.get(id)
      if (before !== undefined) length -= lengthOf(before.columns)
      const added = lengthOf(columns)
      if (length + added > lengthMax) {
        known.clear()
        length = 0
      }
      // One that is too long for all of the room would only make others leave it.
      if (added > lengthMax) return
      known.set(id, { columns, read })
      length += added
    }
  }
}
