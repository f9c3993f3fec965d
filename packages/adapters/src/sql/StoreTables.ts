/** Derives the database schema and the list of copied tables from the table descriptions. */
import { createHash } from "node:crypto"
import { jobs, others } from "./JobTables.ts"
import {
  type Column,
  type ColumnType,
  type Description,
  type Descriptions,
  presets,
  type Storage,
  tenants
} from "./TableDescriptions.ts"

/** All tables by name without the prefix, in order of creation. */
const descriptions: Descriptions = { ...tenants, ...presets, ...jobs, ...others }

/**
 * A hash that identifies the schema until the first release. A database with another hash is
 * refused. After the release, the first migration is frozen, and its name contains the hash.
 */
export const schemaDigest = createHash("sha256")
  .update(JSON.stringify(descriptions))
  .digest("hex")
  .slice(0, 8)

/** Prefix of all table and index names. */
const prefix = "verbatim_"

/**
 * Rows per page of a copy if a row takes at most a few kilobytes, so that a page takes a few
 * megabytes.
 */
const smallPageMax = 500

/** The kinds of values that a copy reads from columns. */
type ColumnKind = "Integer" | "Text"

/** A table that is copied with its rows. */
export interface StoreTable {
  readonly name: string
  /** The columns of the primary key. Rows are read in the order of this key. */
  readonly key: ReadonlyArray<string>
  readonly columns: Readonly<Record<string, ColumnKind>>
  readonly excludedColumns: ReadonlyArray<string>
  readonly pageMax: number
  /** The column that is filled from a database sequence. */
  readonly sequence: string | undefined
}

const typeOf = (column: Column): ColumnType => (/^\w+/.exec(column)?.[0] ?? "text") as ColumnType

const kindOf = (column: Column): ColumnKind =>
  typeOf(column) === "text" || typeOf(column) === "key" ? "Text" : "Integer"

const toStoreTable = (
  name: string,
  { columns, key, excludedColumns = [], pageMax }: Description
) => ({
  name: `${prefix}${name}`,
  key,
  excludedColumns,
  columns: Object.fromEntries(
    Object.entries(columns).flatMap(([column, type]) =>
      excludedColumns.includes(column) ? [] : [[column, kindOf(type)] as const]
    )
  ),
  pageMax: pageMax ?? smallPageMax,
  sequence: Object.keys(columns).find((column) => columns[column] === "sequence")
})

/** The copied tables, in order. */
export const storeTables: ReadonlyArray<StoreTable> = Object.entries(descriptions).flatMap(
  ([name, table]) => (table.exclusionReason === undefined ? [toStoreTable(name, table)] : [])
)

/** All table names, for checking whether a name is taken. */
export const tableNames: ReadonlyArray<string> = [
  ...Object.keys(descriptions).map((name) => `${prefix}${name}`),
  "verbatim_migrations"
]

/** A database's syntax for column types and table storage. */
export interface TableSyntax {
  readonly types: Readonly<Record<ColumnType, string>>
  readonly storage: Readonly<Record<Storage, string>>
  /** Returns the statements that create a word index for a column. */
  readonly indexWords: (indexed: IndexedWords) => ReadonlyArray<string>
}

/** A column with words separated by spaces, and the table's integer key. */
interface IndexedWords {
  readonly table: string
  readonly column: string
  readonly key: string
}

const toColumnDefinition = (name: string, column: Column, types: TableSyntax["types"]): string => {
  const type = typeOf(column)
  if (type === "sequence") return `${name} ${types.sequence}`
  const [, fallback] = column.split(" = ")
  return [
    `${name} ${types[type]}`,
    ...(column.endsWith("?") ? [] : ["NOT NULL"]),
    ...(fallback === undefined ? [] : [`DEFAULT ${fallback}`])
  ].join(" ")
}

const createTable = (name: string, table: Description, { storage, types }: TableSyntax): string => {
  const columns = Object.entries(table.columns)
  const hasSequence = columns.some(([, column]) => column === "sequence")
  const parts = [
    ...columns.map(([column, type]) => toColumnDefinition(column, type, types)),
    ...(hasSequence ? [] : [`PRIMARY KEY (${table.key.join(", ")})`]),
    ...(table.constraints ?? [])
  ]
  return `CREATE TABLE ${prefix}${name} (${parts.join(", ")}) ${storage[table.storage ?? "Plain"]}`
}

const createIndex = (table: string, name: string, on: string): string => {
  const unique = on.startsWith("UNIQUE ") ? "UNIQUE " : ""
  return `CREATE ${unique}INDEX ${prefix}${name} ON ${prefix}${table} ${on.slice(unique.length)}`
}

/** Returns the statements that create all tables and indexes. */
export const createStatements = (syntax: TableSyntax): ReadonlyArray<string> =>
  Object.entries(descriptions).flatMap(([name, table]) => [
    createTable(name, table, syntax),
    ...(table.searched === undefined
      ? []
      : syntax.indexWords({
          table: `${prefix}${name}`,
          column: table.searched,
          key: table.key.join()
        })),
    ...Object.entries(table.indexes ?? {}).map(([index, on]) => createIndex(name, index, on))
  ])
