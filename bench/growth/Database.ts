/**
 * Multiplies a job and a preset inside a database. Each copy contains what the server wrote, but
 * has its own id and earlier timestamps.
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

/** The job or preset whose rows are copied. */
interface Owner {
  readonly of: "job" | "preset"
  readonly id: string
}

/** A row to copy, with its table. */
interface Found {
  readonly table: StoreCopy.StoreTable
  readonly row: Row
}

/** Reads all rows that belong to a job or preset. */
const rowsOf = async ({ run }: Database, { id, of }: Owner): Promise<ReadonlyArray<Found>> => {
  const found: Array<Found> = []
  for (const table of StoreCopy.storeTables) {
    const owner = table.name === `verbatim_${of}s` ? "id" : `${of}_id`
    if (!(owner in table.columns)) continue
    const rows = await run(
      `SELECT * FROM ${table.name} WHERE ${owner} = '${id}' ORDER BY ${table.key}`
    )
    found.push(...rows.map((row) => ({ table, row })))
  }
  return found
}

/** The numbers of the copies to create. Copies with higher numbers have earlier timestamps. */
interface Copies {
  readonly first: number
  readonly last: number
  /** The interval between two copies, in milliseconds. */
  readonly interval: number
  /** Returns the value that replaces the original value in a column, if any. */
  readonly own?: (table: string, column: string) => string | undefined
}

/** Patterns for version 7 ids, which begin with a timestamp, and for timestamps. */
const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/
const instantPattern = /\b1[5-9][0-9]{11}\b/g

/** The replacements for ids, slugs and timestamps in copied text. */
const replacements = (found: ReadonlyArray<Found>, { hex }: Database, interval: number) => {
  const earlier = (id: string) => {
    const digits = hex(`${Number.parseInt(id.replace("-", "").slice(0, 12), 16)} - n * ${interval}`)
    return `substr(${digits}, 1, 8) || '-' || substr(${digits}, 9, 4) || '${id.slice(13)}'`
  }
  return new Map(
    found.flatMap(({ row }) => [
      ...(idPattern.test(String(row.id)) ? [[`${row.id}`, earlier(`${row.id}`)] as const] : []),
      ...("slug" in row ? [[`${row.slug}`, `'${row.slug}-' || n`] as const] : []),
      ...Array.from(
        JSON.stringify(row).matchAll(instantPattern),
        ([at]) => [at, `CAST(${at} - n * ${interval} AS TEXT)`] as const
      )
    ])
  )
}

const copyRows = async (
  database: Database,
  found: ReadonlyArray<Found>,
  { first, interval, last, own = () => undefined }: Copies
): Promise<void> => {
  const replaced = replacements(found, database, interval)
  const copied = (column: string, value: unknown): string =>
    [...replaced]
      .filter(([text]) => String(value).includes(text))
      .reduce((whole, [text, by]) => `replace(${whole}, '${text}', ${by})`, column)
  for (const { row, table } of found) {
    const { key, name, sequence } = table
    const columns = Object.keys(table.columns).filter((column) => column !== sequence)
    const values = columns.map((column) => {
      const isText = table.columns[column] === "Text"
      const isInstant = !isText && String(row[column]).search(instantPattern) === 0
      const value = isText ? copied(column, row[column]) : column
      return own(name, column) ?? (isInstant ? `${column} - n * ${interval}` : value)
    })
    const isRow = key.map((column) => `${column} = '${row[column]}'`).join(" AND ")
    await database.run(
      `INSERT INTO ${name} (${columns}) SELECT ${values}
        FROM ${name}, ${database.series(first, last)} WHERE ${isRow}`
    )
  }
}

/** Maximum number of copies of one original before the next original is copied. */
const batchMax = 50_000

/** Number of days over which the copies are spread. */
const spreadDays = 500

const intervalOf = (count: number): number => Math.floor((spreadDays * 86_400_000) / count)

/**
 * Copies jobs or presets until there are as many copies as requested. The copies are spread over
 * earlier times, oldest first.
 */
export const multiply = async (
  database: Database,
  { count, ids, of }: Pick<Owner, "of"> & { readonly ids: ReadonlyArray<string>; count: number }
): Promise<void> => {
  for (let last = count, turn = 0; last > 0; last -= batchMax, turn += 1) {
    const found = await rowsOf(database, { of, id: ids[turn % ids.length] ?? "" })
    const first = Math.max(1, last - batchMax + 1)
    await copyRows(database, found, { first, last, interval: intervalOf(count) })
  }
}

/** Adds the given number of versions to a preset, and as many moves of its label. */
export const addVersions = async (
  database: Database,
  { count, id }: { readonly id: string; readonly count: number }
): Promise<void> => {
  // Each new version goes live, and then the label is moved to the version. These two steps are two
  // revisions.
  const revision = `revision + 2 * (${count} + 1 - n)`
  const version = `version + ${count} + 1 - n`
  const own: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    verbatim_preset_versions: { version },
    verbatim_preset_designations: { version, revision },
    verbatim_preset_label_moves: { revision }
  }
  const found = await rowsOf(database, { of: "preset", id })
  const lasts = Object.keys(own).flatMap(
    (name) => found.findLast(({ table }) => table.name === name) ?? []
  )
  await copyRows(database, lasts, {
    first: 1,
    last: count,
    interval: intervalOf(count),
    own: (table, column) => own[table]?.[column]
  })
  await database.run(
    `UPDATE verbatim_presets SET latest_version = latest_version + ${count},
      designated_version = latest_version + ${count}, revision = revision + 2 * ${count},
      designated_version_id = (SELECT id FROM verbatim_preset_versions
        WHERE preset_id = '${id}' AND version = latest_version + ${count})
      WHERE id = '${id}'`
  )
}

/** Updates the balances to match the copies, and runs maintenance. */
export const settle = (database: Database) =>
  database.run(
    `UPDATE verbatim_workspaces SET balance_millis =
      (SELECT SUM(millis) FROM verbatim_ledger WHERE workspace_id = verbatim_workspaces.id)`,
    ...database.settled
  )
