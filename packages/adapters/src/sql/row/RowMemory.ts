/**
 * What was made of rows, each by its columns: of a row that is the same in every column, it is the
 * same again.
 */

/** The text of all rows that are remembered, in UTF-16 units: what is made of them takes more. */
const lengthMax = 2_097_152

interface Remembered<A> {
  readonly columns: ReadonlyArray<unknown>
  readonly made: A
}

/** What was made of rows, by what they were looked up by. */
export interface RowMemory<A> {
  /** What was made of the row; nothing where a column was another one then. */
  readonly find: (key: string, columns: ReadonlyArray<unknown>) => A | undefined
  readonly keep: (key: string, columns: ReadonlyArray<unknown>, made: A) => void
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

/** An empty memory. When it is full, all of it is forgotten: what is used is soon there again. */
export const makeRowMemory = <A>(): RowMemory<A> => {
  const known = new Map<string, Remembered<A>>()
  let length = 0
  return {
    find: (key, columns) => {
      const found = known.get(key)
      return found !== undefined && areSame(found.columns, columns) ? found.made : undefined
    },
    keep: (key, columns, made) => {
      const before = known.get(key)
      if (before !== undefined) length -= lengthOf(before.columns)
      const added = lengthOf(columns)
      if (length + added > lengthMax) {
        known.clear()
        length = 0
      }
      // One that is too long for all of the room would only make others leave it.
      if (added > lengthMax) return
      known.set(key, { columns, made })
      length += added
    }
  }
}
