/** Copies from or to a SQLite file. */
import { realpathSync, statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { Effect, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlError, Statement } from "effect/sql"
import { withCapabilities } from "../sql/ClientCapabilities.ts"
import {
  type CopyError,
  type CopySource,
  type CopyTarget,
  copyError,
  type InsertSyntax,
  type OpenSource,
  type SourceOptions
} from "../sql/copy/CopyEndpoints.ts"
import { isLocked } from "../sql/migration/MigrationError.ts"
import { makeDriverCounts } from "../sql/SqlMetrics.ts"
import { isFile } from "./DatabaseFile.ts"
import * as SqliteClient from "./SqliteClient.ts"
import {
  attempt,
  make as makeConnection,
  retryWhileBusy,
  spanAttributes
} from "./SqliteConnection.ts"
import { sqliteStatements } from "./SqliteStatements.ts"
import { prepareFile, type SqliteStoresConfig } from "./SqliteStores.ts"

/** Identifies the file, even if it is opened through a link. */
const identity = ({ filename }: SqliteStoresConfig) =>
  attempt("open", () => {
    const found = isFile(filename)
      ? statSync(filename, { bigint: true, throwIfNoEntry: false })
      : undefined
    return found === undefined ? `sqlite ${filename}` : `sqlite ${found.dev} ${found.ino}`
  })

/**
 * Opens an existing file. Unlike a plain file name, a URL in this mode does not create a missing
 * file.
 */
const openExisting = (filename: string) =>
  Effect.acquireRelease(
    attempt("open", () => {
      const url = pathToFileURL(realpathSync(filename))
      url.searchParams.set("mode", "rw")
      return new DatabaseSync(url, { readBigInts: true })
    }),
    (database) => Effect.sync(() => database.close())
  )

const openSource = Effect.fnUntraced(function* (
  { filename }: SqliteStoresConfig,
  { isInUse }: SourceOptions
): Effect.fn.Return<OpenSource, CopyError | SqlError.SqlError, Scope.Scope> {
  const database = yield* openExisting(filename)
  const settings = [
    "PRAGMA query_only = ON",
    // With this setting, the first read locks the file for this connection, and fails if another
    // process has the file open. No other process can then open the file until this connection is
    // closed.
    ...(isInUse ? [] : ["PRAGMA locking_mode = EXCLUSIVE"])
  ]
  for (const setting of settings) yield* attempt("open", () => database.exec(setting))
  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(makeConnection(database, yield* makeDriverCounts)),
    compiler: Statement.makeCompilerSqlite(),
    driver: "sqlite-node",
    spanAttributes
  }).pipe(Effect.provide(Reactivity.layer))
  const look = retryWhileBusy(
    attempt("execute", () => database.exec("SELECT 1 FROM sqlite_master"))
  )
  yield* Effect.mapError(look, (error) =>
    isLocked(error) ? copyError({ _tag: "SourceInUse" }) : error
  )
  const sql = withCapabilities(client, { isOurs: true })
  return { sql, withSnapshot: (use) => sql.withTransaction(use) }
})

/** Creates the source of a copy. */
export const source = (config: SqliteStoresConfig, options: SourceOptions): CopySource => ({
  identity: identity(config),
  open: openSource(config, options),
  statements: sqliteStatements
})

const insertSyntax: InsertSyntax = {
  placeholder: () => "?",
  explicitSequence: "",
  afterRows: () => Effect.void,
  canStore: () => true
}

/** Creates the target of a copy. The file is created if missing. */
export const target = (config: SqliteStoresConfig): CopyTarget => ({
  identity: identity(config),
  open: Effect.gen(function* () {
    yield* prepareFile(config)
    const sql = yield* SqliteClient.make(config).pipe(Effect.provide(Reactivity.layer))
    // The copy needs no lock, because SQLite has only one writer at a time.
    return { sql, withExclusiveAccess: (_, use) => sql.withTransaction(use) }
  }),
  statements: sqliteStatements,
  insertSyntax
})
