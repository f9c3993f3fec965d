/**
 * Statements on one row, compiled once. Unless the caller uses tracing, statements are run directly
 * on the connection, and if all columns of a row are unchanged, the value that was decoded earlier
 * is returned. A row is read each time, unless the database itself reports that nothing has been
 * committed since the last read, so no value is ever stale. Values are shared and never modified.
 */
import { Context, Effect, Option, References } from "effect"
import { type SqlClient, type SqlConnection, type SqlError, Statement } from "effect/sql"
import { type CommitVersion, capabilitiesOf } from "../ClientCapabilities.ts"
import type { Row } from "./Row.ts"

/**
 * Maximum length of all cached rows together, in UTF-16 units. The values decoded from them take
 * more memory.
 */
const lengthMax = 2_097_152

/** A row in the form in which it was read. */
interface ReadRow {
  readonly columns: ReadonlyArray<unknown>
  /**
   * The data version of the database before the row was read. Undefined if the data version is
   * unknown, or if the row may not be committed yet.
   */
  readonly commitVersion: CommitVersion | undefined
}

interface CachedRow<A> {
  readonly columns: ReadonlyArray<unknown>
  readonly made: A
  commitVersion: CommitVersion | undefined
}

/** A cache of decoded rows; their look-ups are the keys. */
export interface RowCache<A> {
  /** Returns the decoded row if it was read at this data version. */
  readonly findCurrent: (key: string, commitVersion: CommitVersion) => A | undefined
  /** Returns the decoded row if all its columns are the same. */
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

/**
 * Makes an empty cache. A full cache is cleared entirely, because rows that are in use are soon
 * cached again.
 */
export const makeRowCache = <A>(): RowCache<A> => {
  const known = new Map<string, CachedRow<A>>()
  let length = 0
  return {
    findCurrent: (key, commitVersion) => {
      const found = known.get(key)
      return found?.commitVersion === commitVersion ? found.made : undefined
    },
    find: (key, { columns, commitVersion }) => {
      const found = known.get(key)
      if (found === undefined || !areSame(found.columns, columns)) return undefined
      found.commitVersion = commitVersion ?? found.commitVersion
      return found.made
    },
    keep: (key, { columns, commitVersion, made }) => {
      const before = known.get(key)
      if (before !== undefined) length -= lengthOf(before.columns)
      const added = lengthOf(columns)
      if (length + added > lengthMax) {
        known.clear()
        length = 0
      }
      // A row that is too large for the whole cache would only evict others.
      if (added > lengthMax) return
      known.set(key, { columns, commitVersion, made })
      length += added
    }
  }
}

/** Decodes a row. */
export interface RowDecoder<A, E> {
  /** The names of the columns, in order. */
  readonly aliases: ReadonlyArray<string>
  readonly read: (row: Row) => Effect.Effect<A, E>
}

/** The decoded value, if there is a row. */
export type Found<A, E> = Effect.Effect<Option.Option<A>, E>

/** Decodes the first row, if there is one, without using the cache. */
const readFirst =
  <A, E>(read: (row: Row) => Effect.Effect<A, E>) =>
  ([row]: ReadonlyArray<Row>): Found<A, E> =>
    row === undefined ? Effect.succeedNone : Effect.asSome(read(row))

/** The key of a look-up, and the data version if it is known. */
interface LookupKey {
  readonly key: string
  readonly commitVersion?: CommitVersion | undefined
}

/** Decodes rows, and caches the values. */
export interface CachedDecoder<A, E> {
  /** Returns the value of a row without reading it again, if it was read at this data version. */
  readonly findCurrent: (key: string, commitVersion: CommitVersion) => Found<A, never> | undefined
  /** Decodes a row from the values of its columns, in order. */
  readonly make: (lookup: LookupKey, columns: ReadonlyArray<unknown>) => Found<A, E>
}

const toRow = (aliases: ReadonlyArray<string>, columns: ReadonlyArray<unknown>): Row => {
  const row: Record<string, unknown> = {}
  for (const [index, alias] of aliases.entries()) row[alias] = columns[index]
  return row
}

/** Makes a decoder with an empty cache. */
const makeCachedDecoder = <A, E>({ aliases, read }: RowDecoder<A, E>): CachedDecoder<A, E> => {
  const cache = makeRowCache<Found<A, never>>()
  return {
    findCurrent: cache.findCurrent,
    make: ({ commitVersion, key }, columns) => {
      const known = cache.find(key, { columns, commitVersion })
      if (known !== undefined) return known
      return Effect.flatMap(read(toRow(aliases, columns)), (value) => {
        const made = Effect.succeed(Option.some(value))
        cache.keep(key, { columns, commitVersion, made })
        return made
      })
    }
  }
}

/** Makes a function that decodes the first row, if any. */
export const decodeFirst = <A, E>(decoder: RowDecoder<A, E>) => {
  const { make } = makeCachedDecoder(decoder)
  return (key: string, [row]: ReadonlyArray<Row>): Found<A, E> =>
    row === undefined
      ? Effect.succeedNone
      : make(
          { key },
          decoder.aliases.map((alias) => row[alias])
        )
}

/** A parameter of a look-up. */
type Value = number | string

/** A look-up. */
interface Lookup<A, E> extends RowDecoder<A, E> {
  /** The number of parameters of a look-up. */
  readonly count: number
  readonly select: (values: ReadonlyArray<Value>) => Statement.Statement<Row>
}

/** Looks up a row by values. */
type Find<A, E> = (...values: ReadonlyArray<Value>) => Found<A, E | SqlError.SqlError>

/**
 * Returns a look-up's text, or undefined unless the parameters are exactly the values, in order.
 */
const findText = <A, E>({ count, select }: Lookup<A, E>): string | undefined => {
  const values = Array.from({ length: count }, (_, index) => `value ${index}`)
  const [text, params] = select(values).compile()
  const isPlain = params.length === count && params.every((each, index) => each === values[index])
  return isPlain ? text : undefined
}

const toKey = (values: ReadonlyArray<Value>): string => values.join("\n")

/** Makes a look-up that runs ordinary statements. */
const makePlainLookup = <A, E>(lookup: Lookup<A, E>): Find<A, E> => {
  const first = decodeFirst(lookup)
  return (...values) => Effect.flatMap(lookup.select(values), (rows) => first(toKey(values), rows))
}

/**
 * Makes a look-up. If connections cannot be used directly, the look-up runs ordinary statements.
 */
export const makeRowLookup = <A, E>(sql: SqlClient.SqlClient, lookup: Lookup<A, E>): Find<A, E> => {
  const { borrow, readCommitVersion } = capabilitiesOf(sql)
  const text = borrow === undefined ? undefined : findText(lookup)
  if (borrow === undefined || text === undefined) return makePlainLookup(lookup)
  const { make, findCurrent } = makeCachedDecoder(lookup)
  const runTraced = (values: ReadonlyArray<Value>) =>
    Effect.flatMap(lookup.select(values), readFirst(lookup.read))

  const makeOf =
    (key: string, commitVersion: CommitVersion | undefined) =>
    ([columns]: ReadonlyArray<ReadonlyArray<unknown>>): Found<A, E> =>
      columns === undefined ? Effect.succeedNone : make({ key, commitVersion }, columns)

  return (...values) => {
    const run = (connection: SqlConnection.Connection) => connection.executeValues(text, values)
    return Effect.withFiber((fiber): Found<A, E | SqlError.SqlError> => {
      const isTraced =
        fiber.getRef(References.TracerEnabled) ||
        fiber.getRef(Statement.CurrentTransformer) !== undefined
      if (isTraced) return runTraced(values)
      const key = toKey(values)
      const transaction = Context.getOrUndefined(fiber.context, sql.transactionService)
      // Uncommitted rows are visible only in their transaction.
      if (transaction !== undefined) {
        return Effect.flatMap(run(transaction[0]), makeOf(key, undefined))
      }
      const commitVersion = readCommitVersion?.()
      const known = commitVersion === undefined ? undefined : findCurrent(key, commitVersion)
      return known ?? Effect.flatMap(borrow(run), makeOf(key, commitVersion))
    })
  }
}
