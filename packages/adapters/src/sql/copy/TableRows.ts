/**
 * Reads the rows of one table in key order and writes them unchanged, without interpreting them.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { StoreTable } from "../StoreTables.ts"
import { type CopyError, copyError, type InsertSyntax, reasons } from "./CopyEndpoints.ts"

type Sql = SqlClient.SqlClient

/** A row's values, in the order of its table's columns. */
export type Values = ReadonlyArray<unknown>

/**
 * Maximum length of the text in one statement, in UTF-16 units. Postgres accepts messages of a
 * gigabyte, but both the client and the server hold several copies of a message in memory.
 */
const textMax = 4 * 1024 * 1024

const names = (columns: ReadonlyArray<string>): string => columns.join(", ")

const columnsOf = ({ columns }: StoreTable): ReadonlyArray<string> => Object.keys(columns)

const keyOf = (table: StoreTable, row: Values): Values => {
  const columns = columnsOf(table)
  return table.key.map((column) => row[columns.indexOf(column)])
}

/** Reads the rows after the given one in key order, or the first rows. */
export const readPage = (
  sql: Sql,
  table: StoreTable,
  after: Values | undefined
): Effect.Effect<ReadonlyArray<Values>, SqlError.SqlError> => {
  const key = names(table.key)
  const from = `SELECT ${names(columnsOf(table))} FROM ${table.name}`
  const rest =
    after === undefined
      ? sql``
      : sql`WHERE (${sql.literal(key)}) > (${sql.csv(
          keyOf(table, after).map((value) => sql`${value}`)
        )})`
  return sql`${sql.literal(from)} ${rest}
    ORDER BY ${sql.literal(key)} LIMIT ${table.pageMax}`.values
}

const lengthOf = (row: Values): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0)

/** Splits rows into parts whose text is short enough for one statement. A row is never split. */
const partsOf = (rows: ReadonlyArray<Values>): ReadonlyArray<ReadonlyArray<Values>> => {
  const parts: Array<Array<Values>> = []
  // The first row always begins a part, even if the row has no text.
  let length = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const added = lengthOf(row)
    if (length + added > textMax) {
      parts.push([])
      length = 0
    }
    parts.at(-1)?.push(row)
    length += added
  }
  return parts
}

/** Returns an `INSERT` for the given number of rows. */
const insertText = (table: StoreTable, rowCount: number, insertSyntax: InsertSyntax): string => {
  const columns = columnsOf(table)
  const clause = table.sequence === undefined ? "" : `${insertSyntax.explicitSequence} `
  const row = (index: number) =>
    `(${columns.map((_, column) => insertSyntax.placeholder(index * columns.length + column + 1))})`
  const rows = Array.from({ length: rowCount }, (_, index) => row(index))
  return `INSERT INTO ${table.name} (${names(columns)}) ${clause}VALUES ${rows.join(", ")}`
}

/** Fails at the first row that has a text that the database cannot store. */
const requireStorable = (
  table: StoreTable,
  rows: ReadonlyArray<Values>,
  { canStore }: InsertSyntax
): Effect.Effect<void, CopyError> => {
  const refused = rows.find((row) =>
    row.some((value) => typeof value === "string" && !canStore(value))
  )
  if (refused === undefined) return Effect.void
  const key = keyOf(table, refused).join(" ")
  return Effect.fail(copyError(reasons.Unstorable.make({ table: table.name, key })))
}

/** The database to write to, and its syntax. */
export interface Destination {
  readonly sql: Sql
  readonly insertSyntax: InsertSyntax
}

/** Writes the rows of a page. */
export const writePage = Effect.fnUntraced(function* (
  { insertSyntax, sql }: Destination,
  table: StoreTable,
  rows: ReadonlyArray<Values>
): Effect.fn.Return<void, CopyError | SqlError.SqlError> {
  yield* requireStorable(table, rows, insertSyntax)
  for (const part of partsOf(rows)) {
    yield* sql.unsafe(insertText(table, part.length, insertSyntax), part.flat())
  }
})
