/**
 * Multiplies a job inside a database. Each copy contains what the server wrote, but has its own id
 * and earlier timestamps.
 */
import { DatabaseSync } from "node:sqlite"
import { StoreCopy } from "@verbatim/adapters/sql"
import { query } from "../jobs/Databases.ts"

type Row = Readonly<Record<string, unknown>>

/** A database, and the statements that differ between Postgres and SQLite. */
export interface Database {
  /** The URL with which the server opens the database. */
  readonly url: string
  /**
   * Runs statements on a separate session, without foreign-key checks, and returns the last one's
   * rows.
   */
  readonly run: (...statements: ReadonlyArray<string>) => Promise<ReadonlyArray<Row>>
  /** Builds a query that returns the numbers from the last to the first as `n`. */
  readonly series: (first: number, last: number) => string
  /** Formats a number as twelve hexadecimal digits. */
  readonly hex: (number: string) => string
  /** A query that returns the size on disk as `bytes`. */
  readonly size: string
  /**
   * Maintenance statements that the database would otherwise run at some point after many writes.
   */
  readonly settled: ReadonlyArray<string>
}

/** Opens a Postgres database with `pg`. */
export const postgres = (url: string): Database => ({
  url,
  run: async (...statements) =>
    (await query(url, "SET session_replication_role = replica", ...statements)).at(-1)?.rows ?? [],
  series: (first, last) => `generate_series(${last}::bigint, ${first}, -1) AS n`,
  hex: (number) => `lpad(to_hex(${number}), 12, '0')`,
  size: "SELECT pg_database_size(current_database()) AS bytes",
  settled: ["VACUUM ANALYZE", "CHECKPOINT"]
})

export const sqlite = (file: string): Database => ({
  url: `sqlite:${file}`,
  run: async (...statements) => {
    using database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
    database.exec("PRAGMA synchronous = OFF")
    return statements.map((statement) => database.prepare(statement).all()).at(-1) ?? []
  },
  series: (first, last) => `(WITH RECURSIVE k (n) AS (SELECT ${last} UNION ALL
    SELECT n - 1 FROM k WHERE n > ${first}) SELECT n FROM k)`,
  hex: (number) => `printf('%012x', ${number})`,
  size: "SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size",
  settled: ["PRAGMA wal_checkpoint(TRUNCATE)"]
})

/** A row to copy, with its table. */
interface Found {
  readonly table: StoreCopy.StoreTable
  readonly row: Row
}

/** Reads all rows that belong to a job. */
const rowsOf = async ({ run }: Database, id: string): Promise<ReadonlyArray<Found>> => {
  const found: Array<Found> = []
  for (const table of StoreCopy.storeTables) {
    const owner = table.name === "verbatim_jobs" ? "id" : "job_id"
    if (!(owner in table.columns)) continue
    const rows = await run(
      `SELECT * FROM ${table.name} WHERE ${owner} = '${id}' ORDER BY ${table.key}`
    )
    found.push(...rows.map((row) => ({ table, row })))
  }
  return found
}

/** Patterns for version 7 ids, which begin with a timestamp, and for timestamps. */
const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/
const instantPattern = /\b1[5-9][0-9]{11}\b/g

/** The replacements for ids and timestamps in the text of the copy with the number `n`. */
const replacements = (found: ReadonlyArray<Found>, { hex }: Database, interval: number) => {
  const earlier = (id: string) => {
    const digits = hex(`${Number.parseInt(id.replace("-", "").slice(0, 12), 16)} - n * ${interval}`)
    return `substr(${digits}, 1, 8) || '-' || substr(${digits}, 9, 4) || '${id.slice(13)}'`
  }
  return new Map(
    found.flatMap(({ row }) => [
      ...(idPattern.test(String(row.id)) ? [[`${row.id}`, earlier(`${row.id}`)] as const] : []),
      ...Array.from(
        JSON.stringify(row).matchAll(instantPattern),
        ([at]) => [at, `CAST(${at} - n * ${interval} AS TEXT)`] as const
      )
    ])
  )
}

/** Maximum number of copies in one statement. */
const batchMax = 50_000

/** Number of days over which the copies are spread. */
const spreadDays = 500

/** Adds the given number of copies of a job, spread over earlier times, oldest first. */
export const multiply = async (
  database: Database,
  { count, id }: { readonly id: string; readonly count: number }
): Promise<void> => {
  const interval = Math.floor((spreadDays * 86_400_000) / count)
  const found = await rowsOf(database, id)
  const replaced = replacements(found, database, interval)
  const copied = (column: string, value: unknown): string =>
    [...replaced]
      .filter(([text]) => String(value).includes(text))
      .reduce((whole, [text, by]) => `replace(${whole}, '${text}', ${by})`, column)
  const copies = found.map(({ row, table: { columns, key, name, sequence } }) => {
    const names = Object.keys(columns).filter((column) => column !== sequence)
    const values = names.map((column) => {
      if (columns[column] === "Text") return copied(column, row[column])
      const isInstant = String(row[column]).search(instantPattern) === 0
      return isInstant ? `${column} - n * ${interval}` : column
    })
    const isRow = key.map((column) => `${column} = '${row[column]}'`).join(" AND ")
    return (series: string) =>
      `INSERT INTO ${name} (${names}) SELECT ${values} FROM ${name}, ${series} WHERE ${isRow}`
  })
  for (let last = count; last > 0; last -= batchMax) {
    const series = database.series(Math.max(1, last - batchMax + 1), last)
    await database.run(...copies.map((copy) => copy(series)))
  }
}

/** Updates the balances to match the copies, and runs maintenance. */
export const settle = (database: Database) =>
  database.run(
    `UPDATE verbatim_workspaces SET balance_millis =
      (SELECT SUM(millis) FROM verbatim_ledger WHERE workspace_id = verbatim_workspaces.id)`,
    ...database.settled
  )
