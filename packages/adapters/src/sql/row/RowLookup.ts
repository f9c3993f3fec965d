/**
 * Looks up the one row that a request is about. Where nobody traces, its text is put together once
 * and goes straight to the connection, and a row that is the same as before has the value that was
 * made of it then. It is read each time, unless the database itself says that nothing was
 * committed since. So no value is ever old.
 */
import { Context, Effect, References } from "effect"
import { type SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import { type Edition, traitsOf } from "../names/ClientTraits.ts"
import type { Row } from "./Row.ts"
import { type Found, makeFirst, makeRowMaking, type RowReading, readFirst } from "./RowMaking.ts"

/** What rows are looked up by. */
type Value = number | string

/** A look-up. */
interface Lookup<A, E> extends RowReading<A, E> {
  /** How many values it is by. */
  readonly count: number
  readonly select: (values: ReadonlyArray<Value>) => Statement.Statement<Row>
}

/** Looks up by values. */
type Find<A, E> = (...values: ReadonlyArray<Value>) => Found<A, E | SqlError.SqlError>

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

const toKey = (values: ReadonlyArray<Value>): string => values.join("\n")

/** Statements like any others. */
const makeAsking = <A, E>(lookup: Lookup<A, E>): Find<A, E> => {
  const first = makeFirst(lookup)
  return (...values) => Effect.flatMap(lookup.select(values), (rows) => first(toKey(values), rows))
}

/** Makes a look-up; on a connection that may not be used directly it is a statement like others. */
export const makeRowLookup = <A, E>(sql: SqlClient.SqlClient, lookup: Lookup<A, E>): Find<A, E> => {
  const { borrow, readEdition } = traitsOf(sql)
  const text = borrow === undefined ? undefined : findText(lookup)
  if (borrow === undefined || text === undefined) return makeAsking(lookup)
  const { make, recall } = makeRowMaking(lookup)
  const ask = (values: ReadonlyArray<Value>) =>
    Effect.flatMap(lookup.select(values), readFirst(lookup.read))

  const makeOf =
    (key: string, edition: Edition | undefined) =>
    ([columns]: ReadonlyArray<ReadonlyArray<unknown>>): Found<A, E> =>
      columns === undefined ? Effect.succeedNone : make({ key, edition }, columns)

  return (...values) => {
    const run = (connection: SqlConnection.Connection) => connection.executeValues(text, values)
    return Effect.withFiber((fiber): Found<A, E | SqlError.SqlError> => {
      const isWatched =
        fiber.getRef(References.TracerEnabled) ||
        fiber.getRef(Statement.CurrentTransformer) !== undefined
      if (isWatched) return ask(values)
      const key = toKey(values)
      const transaction = Context.getOrUndefined(fiber.context, sql.transactionService)
      // Whoever is in a transaction sees what is not committed, and nobody else does.
      if (transaction !== undefined) {
        return Effect.flatMap(run(transaction[0]), makeOf(key, undefined))
      }
      const edition = readEdition?.()
      const known = edition === undefined ? undefined : recall(key, edition)
      return known ?? Effect.flatMap(borrow(run), makeOf(key, edition))
    })
  }
}
