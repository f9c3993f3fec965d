/**
 * Questions that every request asks: their text is put together once, and goes straight to the
 * connection where nobody traces. Put together anew, in a span that nobody sees, a question of one
 * row took three times as long as SQLite took to answer it.
 */
import { Context, Effect, References } from "effect"
import { type SqlClient, type SqlError, Statement } from "effect/sql"
import { traitsOf } from "../names/ClientTraits.ts"
import type { Row } from "./Row.ts"

/** What a question may ask for. */
export type Value = number | string

/** A question with its values. */
type Ask = (values: ReadonlyArray<Value>) => Statement.Statement<Row>

/**
 * The text of a question of so many values; none where its parameters are anything else than these
 * values in their order.
 */
const findText = (count: number, ask: Ask): string | undefined => {
  const values = Array.from({ length: count }, (_, index) => `value ${index}`)
  const [text, params] = ask(values).compile()
  const isPlain = params.length === count && params.every((each, index) => each === values[index])
  return isPlain ? text : undefined
}

/** Makes a question of so many values, for a client whose connection may be used directly. */
export const makeRowQuestion = (
  sql: SqlClient.SqlClient,
  count: number,
  ask: Ask
): ((...values: ReadonlyArray<Value>) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>) => {
  const { borrow } = traitsOf(sql)
  const text = borrow === undefined ? undefined : findText(count, ask)
  if (borrow === undefined || text === undefined) return (...values) => ask(values)
  return (...values) =>
    Effect.withFiber((fiber) => {
      const isWatched =
        fiber.getRef(References.TracerEnabled) ||
        fiber.getRef(Statement.CurrentTransformer) !== undefined
      if (isWatched) return ask(values)
      const transaction = Context.getOrUndefined(fiber.context, sql.transactionService)
      return transaction === undefined
        ? borrow((connection) => connection.execute(text, values, undefined))
        : transaction[0].execute(text, values, undefined)
    }) as Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
}
