/**
 * Values of rows: of a row that is the same as before in every column, it is the same value, which
 * takes a comparison in place of a schema and of parsing a configuration. Values are shared, and
 * nobody changes them.
 */
import { Effect, Option } from "effect"
import type { Edition } from "../names/ClientTraits.ts"
import type { Row } from "./Row.ts"
import { makeRowMemory } from "./RowMemory.ts"

/** How a value is made of a row. */
export interface RowReading<A, E> {
  /** The names of the columns, in their order. */
  readonly aliases: ReadonlyArray<string>
  readonly read: (row: Row) => Effect.Effect<A, E>
}

/** A value, if there is a row. */
export type Found<A, E> = Effect.Effect<Option.Option<A>, E>

/** Makes the value of the first row, if there is one, anew. */
export const readFirst =
  <A, E>(read: (row: Row) => Effect.Effect<A, E>) =>
  ([row]: ReadonlyArray<Row>): Found<A, E> =>
    row === undefined ? Effect.succeedNone : Effect.asSome(read(row))

/** What a row was looked up by, and in which edition of the database, where that is known. */
interface Looked {
  readonly key: string
  readonly edition?: Edition | undefined
}

/** Makes values of rows, and remembers them. */
export interface RowMaking<A, E> {
  /** The value of the row that was read in this edition of the database, without reading it. */
  readonly recall: (key: string, edition: Edition) => Found<A, never> | undefined
  /** The value of a row, by its columns in their order. */
  readonly make: (looked: Looked, columns: ReadonlyArray<unknown>) => Found<A, E>
}

const toRow = (aliases: ReadonlyArray<string>, columns: ReadonlyArray<unknown>): Row => {
  const row: Record<string, unknown> = {}
  for (const [index, alias] of aliases.entries()) row[alias] = columns[index]
  return row
}

/** Nothing is remembered at first. */
export const makeRowMaking = <A, E>({ aliases, read }: RowReading<A, E>): RowMaking<A, E> => {
  const memory = makeRowMemory<Found<A, never>>()
  return {
    recall: memory.recall,
    make: ({ edition, key }, columns) => {
      const known = memory.find(key, { columns, edition })
      if (known !== undefined) return known
      return Effect.flatMap(read(toRow(aliases, columns)), (value) => {
        const made = Effect.succeed(Option.some(value))
        memory.keep(key, { columns, edition, made })
        return made
      })
    }
  }
}

/** Makes the value of the first of rows that have names, if there is one. */
export const makeFirst = <A, E>(reading: RowReading<A, E>) => {
  const { make } = makeRowMaking(reading)
  return (key: string, [row]: ReadonlyArray<Row>): Found<A, E> =>
    row === undefined
      ? Effect.succeedNone
      : make(
          { key },
          reading.aliases.map((alias) => row[alias])
        )
}
