/**
 * Rows in and out of core's schemas. What was stored decodes, or the store is broken: that is a
 * defect which names the row, not a failure that somebody could handle.
 */
import { Effect, Result, Schema } from "effect"

/** A schema that needs no services. */
type Plain<A, I> = Schema.Codec<A, I>

/** A value as JSON in a text column. */
export const json = <A, I>(schema: Plain<A, I>) => Schema.fromJsonString(Schema.toCodecJson(schema))

/** Reads a stored value; `name` tells the operator where it is. */
export const reading = <A, I>(schema: Plain<A, I>) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (stored: unknown, name: string): Effect.Effect<A> => {
    const read = decode(stored)
    return Result.isSuccess(read)
      ? Effect.succeed(read.success)
      : Effect.die(new Error(`${name} does not decode`, { cause: read.failure }))
  }
}

/** What a row of a table is read from and written to. */
export interface Table<A> {
  /** The columns, called as they are. */
  readonly names: ReadonlyArray<string>
  /** For SELECT and RETURNING. Each column is called `<table>.<field>`, so that tables can join. */
  readonly columns: string
  /** Reads the value in a row of `columns`; those of other tables are left alone. */
  readonly read: (row: Row) => Effect.Effect<A>
  /** Column by column what to insert. */
  readonly row: (value: A) => Row
}

/** A row as the driver gives it. */
export type Row = Readonly<Record<string, unknown>>

/** A table to describe. */
interface TableOptions<A, I> {
  readonly name: string
  readonly schema: Plain<A, I>
  readonly columns: Readonly<Record<keyof I, string>>
  /** The schema's encoding, spelled out: for rows that are written often it takes a tenth. */
  readonly encode?: (value: A) => I
}

/** Describes a table by a schema whose encoded fields fit its columns, and the columns' names. */
export const table = <A, I extends { readonly id: string }>(
  options: TableOptions<A, I>
): Table<A> => {
  const { name, schema } = options
  const columns = Object.entries<string>(options.columns)
  const read = reading(schema)
  const { encode = Schema.encodeSync(schema) } = options
  return {
    names: columns.map(([, column]) => column),
    columns: columns.map(([field, column]) => `${name}.${column} AS "${name}.${field}"`).join(", "),
    read: (row) =>
      read(
        Object.fromEntries(columns.map(([field]) => [field, row[`${name}.${field}`]])),
        `${name} ${row[`${name}.id`]}`
      ),
    row: (value) => {
      const fields: Row = encode(value)
      return Object.fromEntries(columns.map(([field, column]) => [column, fields[field]]))
    }
  }
}
