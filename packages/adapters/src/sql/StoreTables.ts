/** What comes of the description of tables: the schema of a database, and the lists of a copy. */
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

/** Every table by its name without the prefix, in the order in which they are made. */
const descriptions: Descriptions = { ...tenants, ...presets, ...jobs, ...others }

/**
 * Tells the schema from those of other builds, until the first release: a database with another one
 * is refused. From then on the first migration is written down, with the digest in its name.
 */
export const schemaDigest = createHash("sha256")
  .update(JSON.stringify(descriptions))
  .digest("hex")
  .slice(0, 8)

/** What all names of tables and indexes begin with. */
const prefix = "verbatim_"

/** Of rows that have some kilobytes at most: a page has some megabytes. */
const smallPageMax = 500

/** What a column holds, for a copy. */
type ColumnKind = "Integer" | "Text"

/** A table whose rows are copied. */
export interface StoreTable {
  readonly name: string
  /** Its primary key: rows are read in this order. */
  readonly key: ReadonlyArray<string>
  readonly columns: Readonly<Record<string, ColumnKind>>
  readonly left: ReadonlyArray<string>
  readonly pageMax: number
  /** The column that the database counts up by itself. */
  readonly sequence: string | undefined
}

const typeOf = (column: Column): ColumnType => (/^\w+/.exec(column)?.[0] ?? "text") as ColumnType

const kindOf = (column: Column): ColumnKind =>
  typeOf(column) === "text" || typeOf(column) === "key" ? "Text" : "Integer"

const toStoreTable = (name: string, { columns, key, left = [], pageMax }: Description) => ({
  name: `${prefix}${name}`,
  key,
  left,
  columns: Object.fromEntries(
    Object.entries(columns).flatMap(([column, type]) =>
      left.includes(column) ? [] : [[column, kindOf(type)] as const]
    )
  ),
  pageMax: pageMax ?? smallPageMax,
  sequence: Object.keys(columns).find((column) => columns[column] === "sequence")
})

/** The tables that are copied, in order. */
export const storeTables: ReadonlyArray<StoreTable> = Object.entries(descriptions).flatMap(
  ([name, table]) => (table.apart === undefined ? [toStoreTable(name, table)] : [])
)

/** Every table, for those who look whether a name is taken. */
export const tableNames: ReadonlyArray<string> = [
  ...Object.keys(descriptions).map((name) => `${prefix}${name}`),
  "verbatim_migrations"
]

/** How a database spells what tables are made of. */
export interface Spelling {
  readonly types: Readonly<Record<ColumnType, string>>
  readonly storage: Readonly<Record<Storage, string>>
}

const spellColumn = (name: string, column: Column, types: Spelling["types"]): string => {
  const type = typeOf(column)
  if (type === "sequence") return `${name} ${types.sequence}`
  const [, fallback] = column.split(" = ")
  return [
    `${name} ${types[type]}`,
    ...(column.endsWith("?") ? [] : ["NOT NULL"]),
    ...(fallback === undefined ? [] : [`DEFAULT ${fallback}`])
  ].join(" ")
}

const createTable = (name: string, table: Description, { storage, types }: Spelling): string => {
  const columns = Object.entries(table.columns)
  const hasSequence = columns.some(([, column]) => column === "sequence")
  const parts = [
    ...columns.map(([column, type]) => spellColumn(column, type, types)),
    ...(hasSequence ? [] : [`PRIMARY KEY (${table.key.join(", ")})`]),
    ...(table.constraints ?? [])
  ]
  return `CREATE TABLE ${prefix}${name} (${parts.join(", ")}) ${storage[table.storage ?? "Plain"]}`
}

const createIndex = (table: string, name: string, on: string): string => {
  const unique = on.startsWith("UNIQUE ") ? "UNIQUE " : ""
  return `CREATE ${unique}INDEX ${prefix}${name} ON ${prefix}${table} ${on.slice(unique.length)}`
}

/** The statements that make every table and index. */
export const createStatements = (spelling: Spelling): ReadonlyArray<string> =>
  Object.entries(descriptions).flatMap(([name, table]) => [
    createTable(name, table, spelling),
    ...Object.entries(table.indexes ?? {}).map(([index, on]) => createIndex(name, index, on))
  ])
