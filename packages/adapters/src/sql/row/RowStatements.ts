/**
 * Looks up one row by values. Unless the caller uses tracing, the statement is compiled once and
 * run directly on the connection; a row that has not changed since the last time is not decoded
 * again. Resolving a preset over HTTP takes two lookups and 214 µs of CPU time. Without the
 * compiled statement, this would take 30 µs more, and without the cached row, another 30 µs.
 * Callers share the decoded values, so these are never modified.
 */
import { Context, Effect, Option, References } from "effect"
import { type SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import { capabilitiesOf } from "../ClientCapabilities.ts"
import type { BatchName } from "../SqlMetrics.ts"
import type { Row } from "./Row.ts"

/** A text column that rows are looked up by. */
interface LookupColumn {
  readonly column: string
  /** The name of the column in the rows of `select`. */
  readonly field: string
}

/** Options for reading rows: the name in metrics, the statement and the limit. */
interface ReadOptions {
  /** The name of this read in metrics. */
  readonly name: BatchName
  /** Returns the statement for a condition on columns. */
  readonly select: (condition: Statement.Fragment) => Statement.Statement<Row>
  /** Maximum number of requests per statement. */
  readonly sizeMax: number
}

/** Options for reading rows by one column. */
interface RowsRead extends ReadOptions, LookupColumn {}

/** Options for finding the row with given values, including the row's decoder. */
interface RowLookup<A, E> extends ReadOptions {
  readonly by: ReadonlyArray<LookupColumn>
  /** The names of the columns of `select`, in order. */
  readonly aliases: ReadonlyArray<string>
  readonly read: (row: Row) => Effect.Effect<A, E>
}

/** Rows as JSON, with the columns' names and types. */
interface JsonRows {
  readonly name: string
  readonly json: string
  readonly columns: Readonly<Record<string, "BIGINT" | "INTEGER" | "TEXT">>
}

/** Statements that find and lock rows, for one database. */
export interface RowReads {
  /**
   * The condition that a column has one of these values. Lists of any length result in the same
   * statement.
   */
  readonly isAmong: (
    sql: SqlClient.SqlClient,
    column: string,
    values: Iterable<string>
  ) => Statement.Fragment
  /** Converts a JSON parameter to rows that can be joined. */
  readonly fromJson: (sql: SqlClient.SqlClient, rows: JsonRows) => Statement.Fragment
  /**
   * Reads the rows that have a given value in a column, in the statement's order. On a server,
   * concurrent requests share a statement.
   */
  readonly makeRead: (
    sql: SqlClient.SqlClient,
    reading: RowsRead
  ) => (value: string) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
  /**
   * Finds the row with these values, given in the order of their columns. No two rows have the same
   * values.
   */
  readonly makeFind: <A, E>(
    sql: SqlClient.SqlClient,
    finding: RowLookup<A, E>
  ) => (...values: ReadonlyArray<string>) => Effect.Effect<Option.Option<A>, E | SqlError.SqlError>
  /**
   * The last clause of a query for a row that will be changed. The query waits if the row is
   * locked.
   */
  readonly awaitingLocked: string
  /** The last clause of a query for rows that will be changed. The query skips locked rows. */
  readonly passingLocked: string
}

/**
 * Maximum total length of all cached rows, in UTF-16 units. The values that are decoded from the
 * rows take more memory.
 */
const lengthMax = 2_097_152

type Columns = ReadonlyArray<unknown>

const lengthOf = (columns: Columns): number => {
  let length = 0
  for (const column of columns) length += typeof column === "string" ? column.length : 1
  return length
}

const areSame = (one: Columns, other: Columns): boolean => {
  for (let index = 0; index < one.length; index += 1) {
    if (one[index] !== other[index]) return false
  }
  return true
}

/** Decodes a row. */
export interface RowDecoder<A, E> {
  /** The names of the columns, in order. */
  readonly aliases: ReadonlyArray<string>
  readonly read: (row: Row) => Effect.Effect<A, E>
}

/** The decoded value, or none if there is no row. */
type Found<A, E> = Effect.Effect<Option.Option<A>, E>

interface CachedRow<A> {
  readonly columns: Columns
  readonly found: Found<A, never>
}

const toRow = (aliases: ReadonlyArray<string>, columns: Columns): Row => {
  const row: Record<string, unknown> = {}
  for (const [index, alias] of aliases.entries()) row[alias] = columns[index]
  return row
}

/**
 * Returns a function that decodes a row from its columns, in order; the key identifies the lookup.
 * A full cache is cleared entirely, because rows that are in use are soon cached again.
 */
const makeCachedDecoder = <A, E>({ aliases, read }: RowDecoder<A, E>) => {
  const cache = new Map<string, CachedRow<A>>()
  let length = 0
  const keep = (key: string, row: CachedRow<A>): void => {
    const before = cache.get(key)
    if (before !== undefined) length -= lengthOf(before.columns)
    const added = lengthOf(row.columns)
    if (length + added > lengthMax) {
      cache.clear()
      length = 0
    }
    // A row that is too large for the whole cache would only evict other rows.
    if (added > lengthMax) return
    cache.set(key, row)
    length += added
  }
  return (key: string, columns: Columns | undefined): Found<A, E> => {
    if (columns === undefined) return Effect.succeedNone
    const known = cache.get(key)
    if (known !== undefined && areSame(known.columns, columns)) return known.found
    return Effect.flatMap(read(toRow(aliases, columns)), (value) => {
      const found = Effect.succeed(Option.some(value))
      keep(key, { columns, found })
      return found
    })
  }
}

/** Returns a function that decodes the first row, if any. */
export const decodeFirst = <A, E>(decoder: RowDecoder<A, E>) => {
  const decode = makeCachedDecoder(decoder)
  return (key: string, [row]: ReadonlyArray<Row>): Found<A, E> =>
    decode(key, row && decoder.aliases.map((alias) => row[alias]))
}

/** A value to search for in a lookup. */
type Value = number | string

interface Lookup<A, E> extends RowDecoder<A, E> {
  /** The number of parameters in a lookup. */
  readonly count: number
  readonly select: (values: ReadonlyArray<Value>) => Statement.Statement<Row>
}

type Find<A, E> = (...values: ReadonlyArray<Value>) => Found<A, E | SqlError.SqlError>

/**
 * Returns the SQL text of a lookup, or undefined if its parameters are not exactly the values, in
 * order.
 */
const findText = <A, E>({ count, select }: Lookup<A, E>): string | undefined => {
  const values = Array.from({ length: count }, (_, index) => `value ${index}`)
  const [text, params] = select(values).compile()
  const isPlain = params.length === count && params.every((each, index) => each === values[index])
  return isPlain ? text : undefined
}

const toKey = (values: ReadonlyArray<Value>): string => values.join("\n")

/**
 * Creates a lookup of rows by values. If connections cannot be used directly, the lookup runs
 * ordinary statements.
 */
export const makeRowLookup = <A, E>(sql: SqlClient.SqlClient, lookup: Lookup<A, E>): Find<A, E> => {
  const first = decodeFirst(lookup)
  const findPlain: Find<A, E> = (...values) =>
    Effect.flatMap(lookup.select(values), (rows) => first(toKey(values), rows))
  const { borrow } = capabilitiesOf(sql)
  const text = borrow === undefined ? undefined : findText(lookup)
  if (borrow === undefined || text === undefined) return findPlain
  const decode = makeCachedDecoder(lookup)
  return (...values) => {
    const run = (connection: SqlConnection.Connection) =>
      Effect.flatMap(connection.executeValues(text, values), ([columns]) =>
        decode(toKey(values), columns)
      )
    return Effect.withFiber((fiber): Found<A, E | SqlError.SqlError> => {
      const isTraced =
        fiber.getRef(References.TracerEnabled) ||
        fiber.getRef(Statement.CurrentTransformer) !== undefined
      if (isTraced) return findPlain(...values)
      const transaction = Context.getOrUndefined(fiber.context, sql.transactionService)
      return transaction === undefined ? borrow(run) : run(transaction[0])
    })
  }
}
