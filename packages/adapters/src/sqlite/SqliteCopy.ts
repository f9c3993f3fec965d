/** A file of SQLite as the source or the target of a copy. */
import { realpathSync, statSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { Effect, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlError, Statement } from "effect/sql"
import { withTraits } from "../sql/ClientTraits.ts"
import {
  type CopyError,
  type CopySource,
  type CopyTarget,
  copyError,
  type OpenSource,
  reasons,
  type Spelling
} from "../sql/copy/CopyEnds.ts"
import { isLocked } from "../sql/migration/MigrationError.ts"
import { makeDriverCounts } from "../sql/SqlCounts.ts"
import { isFile } from "./DatabaseFile.ts"
import * as SqliteClient from "./SqliteClient.ts"
import { attempt, make as makeConnection, patiently, spanAttributes } from "./SqliteConnection.ts"
import { sqliteStatements } from "./SqliteStatements.ts"
import { prepareFile, type SqliteStoresConfig } from "./SqliteStores.ts"

/** How a source is read. */
export interface SourceOptions {
  /** Whether others may write to it meanwhile. What they write is not copied. */
  readonly isInUse: boolean
}

/** The file behind a name, by whatever link it is reached. */
const identity = ({ filename }: SqliteStoresConfig) =>
  attempt("open", () => {
    const found = isFile(filename)
      ? statSync(filename, { bigint: true, throwIfNoEntry: false })
      : undefined
    return found === undefined ? `sqlite ${filename}` : `sqlite ${found.dev} ${found.ino}`
  })

/** Opens a file that is there: unlike a plain name, this one makes none. */
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
    // The first read then takes the file for this connection alone, which fails where another
    // process has it open; and none can open it before this connection is closed.
    ...(isInUse ? [] : ["PRAGMA locking_mode = EXCLUSIVE"])
  ]
  for (const setting of settings) yield* attempt("open", () => database.exec(setting))
  const client = yield* SqlClient.make({
    acquirer: Effect.succeed(makeConnection(database, yield* makeDriverCounts)),
    compiler: Statement.makeCompilerSqlite(),
    driver: "sqlite-node",
    spanAttributes
  }).pipe(Effect.provide(Reactivity.layer))
  const look = patiently(attempt("execute", () => database.exec("SELECT 1 FROM sqlite_master")))
  yield* Effect.mapError(look, (error) =>
    isLocked(error) ? copyError(reasons.SourceInUse.make({})) : error
  )
  const sql = withTraits(client, { isOurs: true })
  return { sql, atOneMoment: (use) => sql.withTransaction(use) }
})

/** A file to copy from. */
export const source = (config: SqliteStoresConfig, options: SourceOptions): CopySource => ({
  identity: identity(config),
  open: openSource(config, options),
  statements: sqliteStatements
})

const spelling: Spelling = {
  placeholder: () => "?",
  givenSequence: "",
  afterRows: () => Effect.void,
  holds: () => true
}

/** A file to copy into, which is made where it is missing. */
export const target = (config: SqliteStoresConfig): CopyTarget => ({
  identity: identity(config),
  open: Effect.gen(function* () {
    yield* prepareFile(config)
    const sql = yield* SqliteClient.make(config).pipe(Effect.provide(Reactivity.layer))
    // SQLite has one writer at a time.
    return { sql, alone: (_, use) => sql.withTransaction(use) }
  }),
  statements: sqliteStatements,
  spelling
})
