/**
 * Statements about one row, put together once. Where no one traces, they go straight to the
 * connection, and a looked-up row that is the same in every column has the value that was made of
 * it before. A row is read each time, unless the database itself says that nothing was committed
 * since: no value is ever old. Values are shared, and no one changes them.
 */
import { Context, Effect, Option, References } from "effect"
import { type SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import { type Edition, traitsOf } from "../ClientTraits.ts"
import type { Row } from "./Row.ts"

/** Text of all cached rows, in UTF-16 units; the values decoded from them take more. */
const lengthMax = 2_097_152

/** A row as it was read. */
interface ReadRow {
  readonly columns: ReadonlyArray<unknown>
  /**
   * The edition of the database before the row was read. Undefined where it is not known, or where
   * the row may be uncommitted.
   */
  readonly edition: Edition | undefined
}

interface Remembered<A> {
  readonly columns: ReadonlyArray<unknown>
  readonly made: A
  edition: Edition | undefined
}

/** A cache of decoded rows, by the key of their look-up. */
export interface RowMemory<A> {
  /** The decoded row of this edition of the database, if one was read in it. */
  readonly recall: (key: string, edition: Edition) => A | undefined
  /** The decoded row, if all of its columns are the same. */
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

/** Decodes a row. */
export interface RowReading<A, E> {
  /** The names of the columns, in their order. */
  readonly aliases: ReadonlyArray<string>
  readonly read: (row: Row) => Effect.Effect<A, E>
}

/** A value, if there is a row. */
export type Found<A, E> = Effect.Effect<Option.Option<A>, E>

/** Decodes the first row, if there is one, without the cache. */
const readFirst =
  <A, E>(read: (row: Row) => Effect.Effect<A, E>) =>
  ([row]: ReadonlyArray<Row>): Found<A, E> =>
    row === undefined ? Effect.succeedNone : Effect.asSome(read(row))

/** The key of a look-up, and the edition of the database, where it is known. */
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
const makeRowMaking = <A, E>({ aliases, read }: RowReading<A, E>): RowMaking<A, E> => {
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

/** A parameter of a look-up. */
type Value = number | string

/** A look-up. */
interface Lookup<A, E> extends RowReading<A, E> {
  /** Number of parameters. */
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
      // Uncommitted rows are visible in the transaction alone.
      if (transaction !== undefined) {
        return Effect.flatMap(run(transaction[0]), makeOf(key, undefined))
      }
      const edition = readEdition?.()
      const known = edition === undefined ? undefined : recall(key, edition)
      return known ?? Effect.flatMap(borrow(run), makeOf(key, edition))
    })
  }
}

/** A statement with a place for the columns and values of a row. */
export interface RowTemplate {
  readonly columns: ReadonlyArray<string>
  readonly statement: (values: Statement.RecordInsertHelper) => Statement.Statement<unknown>
}

/** A row without values, in place of any other where a text is put together. */
export const emptyRow = (columns: ReadonlyArray<string>): Row =>
  Object.fromEntries(columns.map((column) => [column, null]))

/**
 * Makes the text of an insertion, and runs it with the values of other rows. Without it a new
 * version over HTTP costs 1.16 to 1.25 times the processor time (SQLite).
 */
export const rowStatement = (
  sql: SqlClient.SqlClient,
  { columns, statement }: RowTemplate
): ((row: Row) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>) => {
  const [text] = statement(sql.insert(emptyRow(columns))).compile()
  const transaction = Effect.serviceOption(sql.transactionService)
  // Connections of a host return rows in another form.
  if (!traitsOf(sql).isOurs) {
    return (row) =>
      sql.unsafe<Row>(
        text,
        columns.map((column) => row[column])
      )
  }
  return (row) => {
    const values = columns.map((column) => row[column])
    return Effect.flatMap(
      transaction,
      Option.match({
        onNone: () => sql.unsafe<Row>(text, values),
        // The connection is there, and the text is final: no span, and no statement to compile.
        onSome: ([connection]) => connection.execute(text, values, undefined)
      })
    )
  }
}
