/**
 * Looks up the one row that a request is about. The text is put together once, and goes straight to
 * the connection where nobody traces; a row that is the same as before in every column has the
 * value that was made of it then. It is read each time, but where the database itself says that
 * nothing was committed since. So no value is ever old. Values are shared, and nobody changes them.
 */
import { Context, Effect, Option, References } from "effect"
import { type SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import { traitsOf } from "../names/ClientTraits.ts"
import type { Row } from "./Row.ts"
import { type Edition, makeRowMemory } from "./RowMemory.ts"

/** What rows are looked up by. */
export type Value = number | string

/** A look-up. */
interface Lookup<A, E> {
  /** How many values it is by. */
  readonly count: number
  readonly select: (values: ReadonlyArray<Value>) => Statement.Statement<Row>
  /** The names of the columns of `select`, in its order. */
  readonly aliases: ReadonlyArray<string>
  readonly read: (row: Row) => Effect.Effect<A, E>
}

type Found<A, E> = Effect.Effect<Option.Option<A>, E>

/** Reads the first row, if there is one. */
export const readFirst =
  <A, E>(read: (row: Row) => Effect.Effect<A, E>) =>
  ([row]: ReadonlyArray<Row>): Found<A, E> =>
    row === undefined ? Effect.succeedNone : Effect.asSome(read(row))

/**
 * The text of a look-up; none where its parameters are anything else than the values in their
 * order.
 */
const findText = <A, E>({ count, select }: Lookup<A, E>): string | undefined => {
  const values = Array.from({ length: count }, (_, index) => `value ${index}`)
  const [text, params] = select(values).compile()
  const isPlain = params.length === count && params.every((each, index) => each === values[index])
  return isPlain ? text : undefined
}

const toRow = (aliases: ReadonlyArray<string>, columns: ReadonlyArray<unknown>): Row => {
  const row: Record<string, unknown> = {}
  for (const [index, alias] of aliases.entries()) row[alias] = columns[index]
  return row
}

/** Makes a look-up; on a connection that may not be used directly it is a statement like others. */
export const makeRowLookup = <A, E>(
  sql: SqlClient.SqlClient,
  lookup: Lookup<A, E>
): ((...values: ReadonlyArray<Value>) => Found<A, E | SqlError.SqlError>) => {
  const { aliases, read, select } = lookup
  const { borrow, readEdition } = traitsOf(sql)
  const text = borrow === undefined ? undefined : findText(lookup)
  const ask = (values: ReadonlyArray<Value>) => Effect.flatMap(select(values), readFirst(read))
  if (borrow === undefined || text === undefined) return (...values) => ask(values)
  const memory = makeRowMemory<Found<A, never>>()

  const makeOf =
    (key: string, edition: Edition | undefined) =>
    ([columns]: ReadonlyArray<ReadonlyArray<unknown>>): Found<A, E> => {
      if (columns === undefined) return Effect.succeedNone
      const known = memory.find(key, { columns, edition })
      if (known !== undefined) return known
      return Effect.flatMap(read(toRow(aliases, columns)), (value) => {
        const made = Effect.succeed(Option.some(value))
        memory.keep(key, { columns, edition, made })
        return made
      })
    }

  return (...values) => {
    const run = (connection: SqlConnection.Connection) => connection.executeValues(text, values)
    return Effect.withFiber((fiber): Found<A, E | SqlError.SqlError> => {
      const isWatched =
        fiber.getRef(References.TracerEnabled) ||
        fiber.getRef(Statement.CurrentTransformer) !== undefined
      if (isWatched) return ask(values)
      const key = values.join("\n")
      const transaction = Context.getOrUndefined(fiber.context, sql.transactionService)
      // Whoever is in a transaction sees what is not committed, and nobody else does.
      if (transaction !== undefined) {
        return Effect.flatMap(run(transaction[0]), makeOf(key, undefined))
      }
      const edition = readEdition?.()
      const known = edition === undefined ? undefined : memory.recall(key, edition)
      return known ?? Effect.flatMap(borrow(run), makeOf(key, edition))
    })
  }
}
