/**
 * How the tables of the stores are called in a database that others use too: with a prefix, in a
 * schema of their own, or both.
 */
import { otherTables, storeTables } from "../StoreTables.ts"

/** What a host may choose. */
export interface NameOptions {
  /** What the names of all our tables and indexes begin with, such as `verbatim_`. */
  readonly tablePrefix?: string | undefined
  /** The schema of Postgres that our tables are in. */
  readonly schema?: string | undefined
}

/** Names that were checked. An empty prefix adds nothing. */
export interface TableNames {
  readonly prefix: string
  /** Written before each table; left out where the session finds them by itself. */
  readonly schema: string | undefined
}

/** The names as the migrations write them. */
export const plainNames: TableNames = { prefix: "", schema: undefined }

/** Postgres cuts names off behind so many bytes, and then two of them may be one. */
export const nameBytesMax = 63

/** Our longest name has 28 bytes, and later ones may have three more. */
export const prefixLengthMax = 32

/** Every table, as the migrations write it. */
export const tableNames: ReadonlySet<string> = new Set([
  ...storeTables.map(({ name }) => name),
  ...Object.keys(otherTables)
])

/** What a prefix may be, to complete the sentence "Expected …". */
export const prefixForm =
  `at most ${prefixLengthMax} lower-case letters, digits and underscores, which begin with a ` +
  "letter and not with pg_ or sqlite_"

/** What the name of a schema may be, to complete the sentence "Expected …". */
export const schemaForm =
  `at most ${nameBytesMax} lower-case letters, digits and underscores that do not begin with a ` +
  "digit, and not with pg_"

/** The names that a prefix makes, where sessions find the schema by themselves. */
export const toNames = ({ tablePrefix }: Pick<NameOptions, "tablePrefix">): TableNames => ({
  prefix: tablePrefix ?? "",
  schema: undefined
})

/** Databases keep such names for themselves. */
const isReserved = (name: string): boolean => /^(?:pg|sqlite)_/.test(name)

/** Whether names may begin with this. */
export const isPrefix = (text: string): boolean =>
  /^[a-z][a-z0-9_]*$/.test(text) && text.length <= prefixLengthMax && !isReserved(text)

/** Whether a schema may be called that. */
export const isSchema = (text: string): boolean =>
  /^[a-z_][a-z0-9_]*$/.test(text) && text.length <= nameBytesMax && !text.startsWith("pg_")

/** What is wrong with a choice, in one sentence; nothing where it is right. */
export const problemOf = ({ schema, tablePrefix }: NameOptions): string | undefined => {
  if (tablePrefix !== undefined && tablePrefix !== "" && !isPrefix(tablePrefix)) {
    return `The prefix of tables is ${JSON.stringify(tablePrefix)}, but must be ${prefixForm}.`
  }
  if (schema !== undefined && !isSchema(schema)) {
    return `The schema is ${JSON.stringify(schema)}, but must be ${schemaForm}.`
  }
  return undefined
}
