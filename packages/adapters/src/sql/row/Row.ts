/**
 * Converts rows to and from core's schemas. If a newer version may have written a value, a decoding
 * error is a failure, so that callers can skip the value; otherwise, a decoding error is a defect.
 */
import { Data, Effect, Option, Result, Schema } from "effect"

/** A schema that needs no services. */
type Plain<A, I> = Schema.Codec<A, I>

/** A schema for a value that is stored as JSON in a text column. */
export const json = <A, I>(schema: Plain<A, I>) => Schema.fromJsonString(Schema.toCodecJson(schema))

/** A stored value that cannot be decoded. The message names the value's location. */
export class Unreadable extends Data.TaggedError("Unreadable")<{
  readonly message: string
  readonly cause: unknown
}> {}

/**
 * Creates a reader for stored values that a newer version may have written. In the log, `name` says
 * which value could not be read.
 */
export const makeTryReader =
  <A, E>(decode: (stored: unknown) => Result.Result<A, E>) =>
  (stored: unknown, name: string): Effect.Effect<A, Unreadable> => {
    const read = decode(stored)
    return Result.isSuccess(read)
      ? Effect.succeed(read.success)
      : Effect.fail(new Unreadable({ message: `${name} does not decode`, cause: read.failure }))
  }

/** Creates a reader for stored values in a format that has never changed. */
export const makeReader = <A, I>(schema: Plain<A, I>) => {
  const read = makeTryReader(Schema.decodeUnknownResult(schema))
  return (stored: unknown, name: string): Effect.Effect<A> => Effect.orDie(read(stored, name))
}

/**
 * Skips a row that cannot be read, so that it does not block other rows. The log entry names the
 * row's job, if any.
 */
export const skipUnreadable = <A>(
  self: Effect.Effect<A, Unreadable>,
  job?: string
): Effect.Effect<Option.Option<A>> =>
  self.pipe(
    Effect.asSome,
    Effect.catch(({ message }) =>
      Effect.logError(`${message}, and is skipped`).pipe(
        Effect.annotateLogs(job === undefined ? {} : { job }),
        Effect.as(Option.none())
      )
    )
  )

/** Reads and writes a table's rows. */
export interface Table<A> {
  /**
   * The columns for SELECT and RETURNING, each named `<table>.<field>`, so that tables can be
   * joined.
   */
  readonly columns: string
  /** The names of the columns in `columns`. */
  readonly aliases: ReadonlyArray<string>
  /** Reads the value from a row of `columns`, and ignores the columns of other tables. */
  readonly read: (row: Row) => Effect.Effect<A>
  /** Reads the value from a row that a newer version may have written. */
  readonly tryRead: (row: Row) => Effect.Effect<A, Unreadable>
  /** Converts a value to a row for an insert. */
  readonly row: (value: A) => Row
}

/** A row, as returned by the driver. */
export type Row = Readonly<Record<string, unknown>>

/** Options for a table's columns. */
interface TableOptions<A, I> {
  readonly name: string
  readonly schema: Plain<A, I>
  /** The fields of an encoded value. Their columns have the fields' names in snake case. */
  readonly fields: ReadonlyArray<string>
  /** Column names that differ from the field's name in snake case. */
  readonly renamed?: Readonly<Record<string, string>>
}

const toSnakeCase = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Describes a table by a schema with encoded fields that match the table's columns. Loops convert
 * the rows, because with `Object.fromEntries`, reading a row of fourteen columns took 2.6 µs
 * instead of 0.4, and writing it took 1.7 µs instead of 0.7.
 */
export const table = <A, I extends { readonly id: string }>(
  options: TableOptions<A, I>
): Table<A> => {
  const { name, renamed = {}, schema } = options
  const columns = options.fields.map((field) => ({
    field,
    column: renamed[field] ?? toSnakeCase(field),
    alias: `${name}.${field}`
  }))
  const decode = makeTryReader(Schema.decodeUnknownResult(schema))
  const encode = Schema.encodeSync(schema)
  const tryRead = (row: Row) => {
    const fields: Record<string, unknown> = {}
    for (const { alias, field } of columns) fields[field] = row[alias]
    return decode(fields, `${name} ${row[`${name}.id`]}`)
  }
  return {
    columns: columns
      .map(({ alias, column }) => `verbatim_${name}.${column} AS "${alias}"`)
      .join(", "),
    aliases: columns.map(({ alias }) => alias),
    read: (row) => Effect.orDie(tryRead(row)),
    tryRead,
    row: (value) => {
      const fields: Row = encode(value)
      const row: Record<string, unknown> = {}
      for (const { column, field } of columns) row[column] = fields[field]
      return row
    }
  }
}
