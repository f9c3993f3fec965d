/**
 * What was made of rows, each by its columns: of a row that is the same in every column, it is the
 * same again. Where the database tells its edition, a row that was read in this edition need not be
 * read again: nothing was committed since.
 */

import type { Edition } from "../names/ClientTraits.ts"

/** The text of all rows that are remembered, in UTF-16 units: what is made of them takes more. */
const lengthMax = 2_097_152

/** A row as it was read. */
interface ReadRow {
  readonly columns: ReadonlyArray<unknown>
  /**
   * The edition before it was read. None where that is not known, or where the row may be one that
   * nobody has committed.
   */
  readonly edition: Edition | undefined
}

interface Remembered<A> {
  readonly columns: ReadonlyArray<unknown>
  readonly made: A
  edition: Edition | undefined
}

/** What was made of rows, by what they were looked up by. */
export interface RowMemory<A> {
  /** What was made of the row that was read in this edition; nothing where none was. */
  readonly recall: (key: string, edition: Edition) => A | undefined
  /** What was made of the row; nothing where a column was another one then. */
  readonly find: (key: string, row: ReadRow) => A | undefined
  readonly keep: (key: string, row: ReadRow & { readonly made: A }) => void
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
    recall: (key, edition) => {
      const found = known.get(key)
      return found?.edition === edition ? found.made : undefined
    },
    find: (key, { columns, edition }) => {
      const found = known.get(key)
      if (found === undefined || !areSame(found.columns, columns)) return undefined
      found.edition = edition ?? found.edition
      return found.made
    },
    keep: (key, { columns, edition, made }) => {
      const before = known.get(key)
      if (before !== undefined) length -= lengthOf(before.columns)
      const added = lengthOf(columns)
      if (length + added > lengthMax) {
        known.clear()
        length = 0
      }
      // One that is too long for all of the room would only make others leave it.
      if (added > lengthMax) return
      known.set(key, { columns, edition, made })
      length += added
    }
  }
}
