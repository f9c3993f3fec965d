/**
 * Copies a store, row by row, into an empty database of any kind (docs/decisions/0023). All rows
 * are one transaction there, and a mark that is written before anything else, and removed by that
 * transaction, keeps every process from serving what is not complete.
 */
import { Effect, type Scope } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import * as Migrations from "../Migrations.ts"
import { mustBeFree } from "../Migrator.ts"
import { isLocked, type MigrationError } from "../migration/MigrationError.ts"
import * as Records from "../migration/MigrationRecords.ts"
import { Statements } from "../Statements.ts"
import { type StoreTable, storeTables } from "../StoreTables.ts"
import {
  type CopyError,
  type CopySource,
  type CopyTarget,
  copyError,
  type OpenSource,
  type OpenTarget,
  reasons
} from "./CopyEnds.ts"
import { readPage, type Values, writePage } from "./TableRows.ts"
import { mustAgree, type Tally, tally } from "./Tally.ts"

export { type StoreTable, storeTables } from "../StoreTables.ts"
export type { CopySource, CopyTarget } from "./CopyEnds.ts"
export { CopyError } from "./CopyEnds.ts"
export { type Tally, unbalanced } from "./Tally.ts"

/** How far a table has come. */
export interface Progress {
  readonly table: string
  readonly rows: number
  readonly isDone: boolean
}

/** A copy. */
export interface Copying {
  readonly source: CopySource
  readonly target: CopyTarget
  /** Told of after each page. */
  readonly report: (progress: Progress) => Effect.Effect<void>
}

type Failure = CopyError | MigrationError

const fail = (reason: CopyError["reason"]) => Effect.fail(copyError(reason))

/** Says at which end a statement failed. */
const on =
  (end: "source" | "target") =>
  <A, E, R>(self: Effect.Effect<A, E | SqlError.SqlError, R>) =>
    Effect.mapError(self, (error): Exclude<E, SqlError.SqlError> | CopyError => {
      if (!SqlError.isSqlError(error)) return error as Exclude<E, SqlError.SqlError>
      if (end === "source") return copyError(reasons.SourceFailed.make({ cause: error }))
      return isLocked(error)
        ? copyError(reasons.TargetInUse.make({}))
        : copyError(reasons.TargetFailed.make({ cause: error }))
    })

/** Runs statements of migrations in a database. */
const within =
  (sql: SqlClient.SqlClient, statements: Statements["Service"]) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    self.pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.provideService(Statements, statements)
    )

const mustBeCurrent = Effect.fnUntraced(function* ({ sql }: OpenSource, source: CopySource) {
  switch (yield* within(sql, source.statements)(Migrations.standing)) {
    case "Unfinished":
      return yield* fail(reasons.SourceUnfinished.make({}))
    case "Newer":
      return yield* fail(reasons.SourceNewer.make({}))
    case "Behind":
      return yield* fail(reasons.SourceBehind.make({}))
    case "Current":
      return
  }
})

/** A table with rows; none in a database that has no tables. */
const findRows = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, target: CopyTarget) {
  for (const { name } of storeTables) {
    if (!(yield* target.statements.schema.isThere(sql, name))) continue
    const [row] = yield* sql.unsafe(`SELECT 1 FROM ${name} LIMIT 1`).values
    if (row !== undefined) return name
  }
  return undefined
})

/**
 * Marks an empty target as incomplete, before it has a table, and says what is in one that is not
 * empty. No copy ends in between. Rows beside a mark were written by somebody who had the database
 * open before it was marked: a copy leaves none. So the mark goes.
 */
const markEmpty = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { statements }: CopyTarget,
  full: string | undefined
) {
  if (full === undefined) yield* Records.markCopy(sql)
  else if (yield* Records.isThere(sql, statements.schema)) yield* Records.unmarkCopy(sql)
  return full
})

/** Marks the target, and brings it to the current schema. */
const prepare = Effect.fnUntraced(function* ({ alone, sql }: OpenTarget, target: CopyTarget) {
  const inside = within(sql, target.statements)
  if ((yield* inside(Migrations.standing)) === "Newer") {
    return yield* fail(reasons.TargetNewer.make({}))
  }
  yield* mustBeFree({ sql, schema: target.statements.schema })
  const mark = Effect.flatMap(findRows(sql, target), (full) => markEmpty(sql, target, full))
  const table = yield* alone([], mark)
  if (table !== undefined) return yield* fail(reasons.TargetNotEmpty.make({ table }))
  yield* inside(Migrations.runMarked)
})

const copyTable = Effect.fnUntraced(function* (
  { report, target }: Copying,
  ends: { readonly from: SqlClient.SqlClient; readonly to: SqlClient.SqlClient },
  table: StoreTable
) {
  const destination = { sql: ends.to, spelling: target.spelling }
  let rows = 0
  let last: Values | undefined
  // As many pages as the table has: the key of each begins after the one before.
  for (let isDone = false; !isDone; ) {
    const page = yield* on("source")(readPage(ends.from, table, last))
    yield* on("target")(writePage(destination, table, page))
    rows += page.length
    last = page.at(-1)
    isDone = page.length < table.pageMax
    yield* report({ table: table.name, rows, isDone })
  }
  const { sequence } = table
  if (sequence === undefined || rows === 0) return
  yield* on("target")(target.spelling.afterRows(ends.to, table.name, sequence))
})

/** Everything, in the one transaction of the target. */
const copyTables = Effect.fnUntraced(function* (
  copying: Copying,
  from: SqlClient.SqlClient,
  to: SqlClient.SqlClient
) {
  const isMarked = yield* on("target")(Records.isMarked(to))
  // Another copy has ended meanwhile.
  if (!isMarked) return yield* fail(reasons.TargetInUse.make({}))
  const full = yield* on("target")(findRows(to, copying.target))
  if (full !== undefined) return yield* fail(reasons.TargetNotEmpty.make({ table: full }))
  for (const table of storeTables) yield* copyTable(copying, { from, to }, table)
  const there = yield* on("source")(tally(from))
  yield* mustAgree(there, yield* on("target")(tally(to)))
  yield* on("target")(Records.unmarkCopy(to))
  return there
})

/**
 * Copies a store, and returns what both ends have. When it fails, or its process dies, the target
 * has no rows; it is done again from the beginning.
 */
export const copyStore: (copying: Copying) => Effect.Effect<Tally, Failure> = Effect.fn(
  "StoreCopy.copyStore"
)(function* (copying: Copying): Effect.fn.Return<Tally, Failure, Scope.Scope> {
  const { source, target } = copying
  const from = yield* on("source")(source.open)
  yield* on("source")(mustBeCurrent(from, source))
  const isSame = (yield* on("source")(source.identity)) === (yield* on("target")(target.identity))
  if (isSame) return yield* fail(reasons.SameStore.make({}))
  const to = yield* on("target")(target.open)
  // Before the source is read: an index that is built concurrently waits for whoever reads the same
  // database, in whichever schema.
  yield* on("target")(prepare(to, target))
  const names = storeTables.map(({ name }) => name)
  const writing = on("target")(to.alone(names, copyTables(copying, from.sql, to.sql)))
  const mustStillBe = on("source")(mustBeCurrent(from, source))
  return yield* on("source")(from.atOneMoment(Effect.andThen(mustStillBe, writing)))
}, Effect.scoped)
