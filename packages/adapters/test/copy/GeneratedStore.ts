/** Fills stores with random valid rows, because a copy must not depend on the meaning of a row. */
import { StoreCopy } from "@verbatim/adapters/sql"
import { awkwardTexts } from "@verbatim/testkit/samples"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import type { Column } from "./Databases.ts"

type Value = bigint | string | null
type Row = Readonly<Record<string, Value>>
type Rows = Readonly<Record<string, ReadonlyArray<Row>>>

/** The random values that a store's rows are built from. */
export interface Seed {
  /** Target number of rows per table. Tables whose rows refer to other rows may get fewer. */
  readonly sizes: ReadonlyArray<number>
  readonly integers: fc.Stream<bigint>
  readonly texts: fc.Stream<string>
  readonly nulls: fc.Stream<boolean>
}

const json = fc.constantFrom(
  '{"a": 1.0,\n "a":9223372036854775807, "b":[ ]}',
  '{"seconds":0.1000000000000000055}',
  "[-0, 1e400]"
)

/** Seeds with up to sixty rows per table, so that some tables have several 16-row pages. */
export const seeds: fc.Arbitrary<Seed> = fc.record({
  sizes: fc.infiniteStream(fc.oneof(fc.nat(3), fc.nat(60))).map((all) => [...all.take(40)]),
  integers: fc.infiniteStream(
    fc.oneof(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      fc.constantFrom(0n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n))
    )
  ),
  texts: fc.infiniteStream(
    fc.oneof(
      fc.constantFrom(...awkwardTexts),
      json,
      fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", ""))
    )
  ),
  nulls: fc.infiniteStream(fc.boolean())
})

const references: Readonly<Record<string, string>> = {
  workspace_id: "verbatim_workspaces",
  preset_id: "verbatim_presets",
  version_id: "verbatim_preset_versions"
}

/** A reference to another table, and the columns that contain the key of the row there. */
interface Pointer {
  readonly to: string
  readonly columns: ReadonlyArray<string>
}

const toVersion: Pointer = { to: "verbatim_preset_versions", columns: ["preset_id", "version"] }

/** Tables whose rows refer to rows in another table by key. */
const pointers: Readonly<Record<string, Pointer>> = {
  verbatim_preset_designations: toVersion,
  verbatim_preset_label_moves: toVersion,
  verbatim_corrections: { to: "verbatim_transcript_chunks", columns: ["job_id", "ordinal"] },
  verbatim_search_texts: { to: "verbatim_transcript_chunks", columns: ["job_id", "ordinal"] },
  verbatim_corrected_segments: { to: "verbatim_corrections", columns: ["job_id"] },
  verbatim_correction_versions: { to: "verbatim_corrections", columns: ["job_id"] },
  verbatim_correction_changes: {
    to: "verbatim_correction_versions",
    columns: ["job_id", "version"]
  }
}

/** Columns that hold 32-bit integers, or integers that must add up to at most 64 bits. */
const narrow = new Set(["lane_hash", "format", "millis", "balance_millis"])

/** Returns the value that a table's constraints require, or undefined if they allow any value. */
const requiredValue = (
  rows: Rows,
  { column, number, table }: { readonly table: string; readonly column: string; number: number }
): Value | undefined => {
  if (table === "verbatim_media_mark" && column === "id") return 1n
  if (table === "verbatim_ledger" && column === "credit_id")
    return number % 2 === 0 ? `c${number}` : null
  if (table === "verbatim_ledger" && column === "job_id")
    return number % 2 === 0 ? null : `j${number}`
  const { [table]: pointer } = pointers
  if (pointer?.columns.includes(column) === true) {
    const there = rows[pointer.to] ?? []
    return there[number % there.length]?.[column]
  }
  if (column === "segment") return BigInt(number)
  const { [column]: referred = column === "job_id" ? "verbatim_jobs" : undefined } = references
  const isFree = table === "verbatim_idempotency_keys" && column === "job_id"
  if (referred !== undefined && !isFree) {
    const there = rows[referred] ?? []
    return there[number % there.length]?.id
  }
  if (["ordinal", "revision", "version", "entry"].includes(column)) return BigInt(number + 1) * 7n
  if (["id", "hash", "external_id", "slug", "key", "label"].includes(column))
    return `é${column}-${number}`
  return undefined
}

const needed: Readonly<Record<string, string>> = {
  verbatim_presets: "verbatim_workspaces",
  verbatim_preset_versions: "verbatim_presets",
  verbatim_preset_designations: "verbatim_preset_versions",
  verbatim_preset_label_moves: "verbatim_preset_versions",
  verbatim_preset_keys: "verbatim_preset_versions",
  verbatim_preset_changes: "verbatim_presets",
  verbatim_job_history: "verbatim_jobs",
  verbatim_transcript_chunks: "verbatim_jobs",
  verbatim_pieces: "verbatim_jobs",
  verbatim_corrections: "verbatim_transcript_chunks",
  verbatim_search_texts: "verbatim_transcript_chunks",
  verbatim_corrected_segments: "verbatim_corrections",
  verbatim_correction_versions: "verbatim_corrections",
  verbatim_correction_changes: "verbatim_correction_versions",
  verbatim_kept_bodies: "verbatim_jobs",
  verbatim_work: "verbatim_jobs"
}

/** Tables that have at most one row per job. */
const onePerJob = new Set(["verbatim_work", "verbatim_corrections", "verbatim_search_texts"])

const sizeOf = (rows: Rows, table: string, wanted: number): number => {
  if (table === "verbatim_media_mark") return Math.min(wanted, 1)
  const { [table]: other = table === "verbatim_workspaces" ? undefined : "verbatim_workspaces" } =
    needed
  const there = other === undefined ? 1 : (rows[other]?.length ?? 0)
  if (there === 0) return 0
  if (!onePerJob.has(table)) return wanted
  return Math.min(wanted, there, rows.verbatim_jobs?.length ?? 0)
}

/** Generates the rows for every table, in table order. */
export const rowsOf = (seed: Seed, columns: ReadonlyArray<Column>): Rows => {
  const next = <A>(stream: fc.Stream<A>): A => stream.next().value
  const rows: Record<string, ReadonlyArray<Row>> = {}
  for (const [index, { name: table }] of StoreCopy.storeTables.entries()) {
    const own = columns.filter((column) => column.table === table)
    const value = (column: Column, number: number): Value => {
      const required = requiredValue(rows, { table, column: column.name, number })
      if (required !== undefined) return required
      if (column.isNullable && next(seed.nulls)) return null
      if (column.type === "TEXT") return next(seed.texts)
      const integer = next(seed.integers)
      return narrow.has(column.name) ? integer % 1_000_000n : integer
    }
    const size = sizeOf(rows, table, seed.sizes[index] ?? 0)
    rows[table] = Array.from({ length: size }, (_, number) =>
      Object.fromEntries(own.map((column) => [column.name, value(column, number)]))
    )
  }
  return rows
}

/** Inserts the generated rows into a database. */
export const fill = Effect.fnUntraced(function* (rows: Rows) {
  const sql = yield* SqlClient.SqlClient
  const write = Effect.forEach(Object.entries(rows), ([table, all]) =>
    Effect.forEach(all, (row) => sql`INSERT INTO ${sql(table)} ${sql.insert(row)}`)
  )
  yield* sql.withTransaction(write)
})
