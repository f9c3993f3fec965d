/**
 * Copies a store, row by row, into an empty database of any kind (docs/decisions/0023). All rows
 * are written in one transaction. A marker is written before this transaction and removed inside
 * it, so that no process ever serves an incomplete copy.
 */
import { Effect, type Scope } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as Migrations from "../Migrations.ts"
import { requireFreeNames } from "../Migrator.ts"
import { isLocked, type MigrationError } from "../migration/MigrationError.ts"
import * as Records from "../migration/MigrationRecords.ts"
import { Statements } from "../Statements.ts"
import { type StoreTable, storeTables } from "../StoreTables.ts"
import {
  type CopyError,
  type CopySource,
  type CopyTarget,
  copyError,
  type InsertSyntax,
  type OpenSource,
  type OpenTarget
} from "./CopyEndpoints.ts"

export { type StoreTable, storeTables } from "../StoreTables.ts"
export type { CopySource, CopyTarget } from "./CopyEndpoints.ts"
export { CopyError } from "./CopyEndpoints.ts"

/** The number of rows copied from a table so far. */
export interface Progress {
  readonly table: string
  readonly rows: number
  readonly isDone: boolean
}

/** Options for copying a store. */
export interface CopyOptions {
  readonly source: CopySource
  readonly target: CopyTarget
  /** Called after each copied page. */
  readonly report: (progress: Progress) => Effect.Effect<void>
}

type Failure = CopyError | MigrationError

const fail = (reason: CopyError["reason"]) => Effect.fail(copyError(reason))

/** Converts a database error to a copy error that says whether the source or the target failed. */
const atEnd =
  (end: "source" | "target") =>
  <A, E, R>(self: Effect.Effect<A, E | SqlError.SqlError, R>) =>
    Effect.mapError(self, (error): Exclude<E, SqlError.SqlError> | CopyError => {
      if (!SqlError.isSqlError(error)) return error as Exclude<E, SqlError.SqlError>
      if (end === "source") return copyError({ _tag: "SourceFailed", cause: error })
      return isLocked(error)
        ? copyError({ _tag: "TargetInUse" })
        : copyError({ _tag: "TargetFailed", cause: error })
    })

/** Provides migration code with a database and its statements. */
const inDatabase =
  (sql: SqlClient.SqlClient, statements: Statements["Service"]) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    self.pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.provideService(Statements, statements)
    )

const requireCurrent = Effect.fnUntraced(function* ({ sql }: OpenSource, source: CopySource) {
  switch (yield* inDatabase(sql, source.statements)(Migrations.readStatus)) {
    case "Unfinished":
      return yield* fail({ _tag: "SourceUnfinished" })
    case "Newer":
      return yield* fail({ _tag: "SourceNewer" })
    case "Behind":
      return yield* fail({ _tag: "SourceBehind" })
    case "Current":
      return
  }
})

/** Finds a table that has rows, if any. */
const findRows = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, target: CopyTarget) {
  for (const { name } of storeTables) {
    if (!(yield* target.statements.schema.hasTable(sql, name))) continue
    const [row] = yield* sql.unsafe(`SELECT 1 FROM ${name} LIMIT 1`).values
    if (row !== undefined) return name
  }
  return undefined
})

/**
 * Marks an empty target as incomplete before the target has any table, and returns the name of a
 * table with rows, if any. The caller's transaction ensures that no other copy ends between these
 * steps. An unfinished copy leaves no rows, so rows in a marked database come from a process that
 * opened the database before it was marked. If there are such rows, the marker is removed.
 */
const markEmpty = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { statements }: CopyTarget,
  full: string | undefined
) {
  if (full === undefined) yield* Records.markCopy(sql)
  else if (yield* Records.hasRecords(sql, statements.schema)) yield* Records.unmarkCopy(sql)
  return full
})

/** Marks the target, and migrates it to the current schema. */
const prepare = Effect.fnUntraced(function* (
  { sql, withExclusiveAccess }: OpenTarget,
  target: CopyTarget
) {
  const inside = inDatabase(sql, target.statements)
  if ((yield* inside(Migrations.readStatus)) === "Newer") {
    return yield* fail({ _tag: "TargetNewer" })
  }
  yield* requireFreeNames({ sql, schema: target.statements.schema })
  const mark = Effect.flatMap(findRows(sql, target), (full) => markEmpty(sql, target, full))
  const table = yield* withExclusiveAccess([], mark)
  if (table !== undefined) return yield* fail({ _tag: "TargetNotEmpty", table })
  yield* inside(Migrations.runForCopy)
})

const copyTable = Effect.fnUntraced(function* (
  { report, target }: CopyOptions,
  ends: { readonly from: SqlClient.SqlClient; readonly to: SqlClient.SqlClient },
  table: StoreTable
) {
  const destination = { sql: ends.to, insertSyntax: target.insertSyntax }
  let rows = 0
  let last: Values | undefined
  // Each iteration copies one page of the table, beginning after the last key of the previous page.
  for (let isDone = false; !isDone; ) {
    const page = yield* atEnd("source")(readPage(ends.from, table, last))
    yield* atEnd("target")(writePage(destination, table, page))
    rows += page.length
    last = page.at(-1)
    isDone = page.length < table.pageMax
    yield* report({ table: table.name, rows, isDone })
  }
  const { sequence } = table
  if (sequence === undefined || rows === 0) return
  yield* atEnd("target")(target.insertSyntax.afterRows(ends.to, table.name, sequence))
})

/** Copies all tables in a single transaction in the target. */
const copyTables = Effect.fnUntraced(function* (
  copying: CopyOptions,
  from: SqlClient.SqlClient,
  to: SqlClient.SqlClient
) {
  const isMarked = yield* atEnd("target")(Records.isMarked(to))
  // The target is no longer marked, because another copy has already finished.
  if (!isMarked) return yield* fail({ _tag: "TargetInUse" })
  const full = yield* atEnd("target")(findRows(to, copying.target))
  if (full !== undefined) return yield* fail({ _tag: "TargetNotEmpty", table: full })
  for (const table of storeTables) yield* copyTable(copying, { from, to }, table)
  const there = yield* atEnd("source")(readTotals(from))
  yield* requireEqualTotals(there, yield* atEnd("target")(readTotals(to)))
  yield* atEnd("target")(Records.unmarkCopy(to))
  return there
})

/**
 * Copies a store, and returns the totals, which are the same in the source and the target. If the
 * copy fails or the process dies, the target has no rows, and the next copy starts from the
 * beginning.
 */
export const copyStore: (copying: CopyOptions) => Effect.Effect<StoreTotals, Failure> = Effect.fn(
  "StoreCopy.copyStore"
)(function* (copying: CopyOptions): Effect.fn.Return<StoreTotals, Failure, Scope.Scope> {
  const { source, target } = copying
  const from = yield* atEnd("source")(source.open)
  yield* atEnd("source")(requireCurrent(from, source))
  const isSame =
    (yield* atEnd("source")(source.identity)) === (yield* atEnd("target")(target.identity))
  if (isSame) return yield* fail({ _tag: "SameStore" })
  const to = yield* atEnd("target")(target.open)
  // The target is prepared before the source is read, because a concurrent index build waits for
  // all readers of the same database, even those of another schema.
  yield* atEnd("target")(prepare(to, target))
  const names = storeTables.map(({ name }) => name)
  const writing = atEnd("target")(
    to.withExclusiveAccess(names, copyTables(copying, from.sql, to.sql))
  )
  const requireStillCurrent = atEnd("source")(requireCurrent(from, source))
  return yield* atEnd("source")(from.withSnapshot(Effect.andThen(requireStillCurrent, writing)))
}, Effect.scoped)

type Sql = SqlClient.SqlClient

/** A row's values, in the order of its table's columns. */
type Values = ReadonlyArray<unknown>

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

/** Reads the rows after the given row in key order, or the first rows. */
const readPage = (
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

/**
 * Splits rows into parts with text that is short enough for one statement. A row is never split.
 */
const partsOf = (rows: ReadonlyArray<Values>): ReadonlyArray<ReadonlyArray<Values>> => {
  const parts: Array<Array<Values>> = []
  // The first row begins a part even if the row contains no text.
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

/** Fails at the first row with text that the database cannot store. */
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
  return Effect.fail(copyError({ _tag: "Unstorable", table: table.name, key }))
}

/** The database to write to, and its syntax. */
interface Destination {
  readonly sql: Sql
  readonly insertSyntax: InsertSyntax
}

const writePage = Effect.fnUntraced(function* (
  { insertSyntax, sql }: Destination,
  table: StoreTable,
  rows: ReadonlyArray<Values>
): Effect.fn.Return<void, CopyError | SqlError.SqlError> {
  yield* requireStorable(table, rows, insertSyntax)
  for (const part of partsOf(rows)) {
    yield* sql.unsafe(insertText(table, part.length, insertSyntax), part.flat())
  }
})

/** A store's exact row counts and sums, keyed by description. */
export type StoreTotals = ReadonlyMap<string, string>

/**
 * The name of the total that counts workspaces with a balance that differs from the sum of the
 * ledger.
 */
export const unbalancedLedgers = "workspaces whose ledger does not sum to the balance"

const sums: Readonly<Record<string, string>> = {
  "the sum of all balances": `SELECT CAST(COALESCE(SUM(balance_millis), 0) AS BIGINT)
    FROM verbatim_workspaces`,
  "the sum of the ledger": "SELECT CAST(COALESCE(SUM(millis), 0) AS BIGINT) FROM verbatim_ledger",
  [unbalancedLedgers]: `SELECT COUNT(*) FROM verbatim_workspaces WHERE balance_millis <>
    (SELECT COALESCE(SUM(millis), 0) FROM verbatim_ledger
      WHERE workspace_id = verbatim_workspaces.id)`
}

const counts = Object.fromEntries(
  storeTables.map(({ name }) => [`rows of ${name}`, `SELECT COUNT(*) FROM ${name}`])
)

/** Reads all totals of one database. */
const readTotals = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient
): Effect.fn.Return<StoreTotals, SqlError.SqlError> {
  const found = new Map<string, string>()
  for (const [what, question] of Object.entries({ ...counts, ...sums })) {
    const [row] = yield* sql.unsafe(question).values
    found.set(what, String(row?.[0]))
  }
  return found
})

/** Fails with the first total that differs between the source and the target. */
const requireEqualTotals = (source: StoreTotals, target: StoreTotals) => {
  for (const [what, there] of source) {
    const here = String(target.get(what))
    if (here !== there) {
      return Effect.fail(copyError({ _tag: "Different", what, source: there, target: here }))
    }
  }
  return Effect.void
}
