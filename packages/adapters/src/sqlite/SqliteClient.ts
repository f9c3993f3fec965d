/**
 * Implements Effect's `SqlClient` with Node's own `node:sqlite`. One connection writes, for one
 * fiber at a time; for a file, a second connection reads. The layers have the same names as in
 * `@effect/sql-sqlite-node`, which can be used instead.
 */
import { DatabaseSync } from "node:sqlite"
import { Effect, type Layer, type Scope } from "effect"
import type * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlError, Statement } from "effect/sql"
import { withCapabilities } from "../sql/ClientCapabilities.ts"
import { withHostSavepoints } from "../sql/host/HostSavepoints.ts"
import { makeDriverCounts } from "../sql/SqlMetrics.ts"
import { clientLayer, type Statements } from "../sql/Statements.ts"
import { isFile, makeIdentityCheck } from "./DatabaseFile.ts"
import {
  attempt,
  blockedMillisMax,
  make as makeConnection,
  retryWhileBusy,
  spanAttributes
} from "./SqliteConnection.ts"
import { sqliteStatements } from "./SqliteStatements.ts"
import * as WriterQueue from "./WriterQueue.ts"

/** The database: a path, or `:memory:`. */
export interface SqliteClientConfig {
  readonly filename: string
}

const settings = [
  // In this mode, readers and the writer do not wait for each other.
  "PRAGMA journal_mode = WAL",
  // A commit is on disk before Verbatim acknowledges it. With NORMAL, commits would survive a
  // process crash, but not a power cut. FULL allows 5,700 transactions per second instead of
  // 22,000.
  "PRAGMA synchronous = FULL",
  // On macOS, a plain fsync may leave data in the drive's cache. On other systems, this setting has
  // no effect.
  "PRAGMA fullfsync = ON",
  "PRAGMA foreign_keys = ON",
  // This read creates the WAL. While this connection is open, other programs cannot remove the WAL
  // when they exit.
  "PRAGMA schema_version"
]

const open = (filename: string, options: { readonly readOnly?: boolean } = {}) =>
  Effect.acquireRelease(
    attempt("open", () => new DatabaseSync(filename, { ...options, timeout: blockedMillisMax })),
    (database) => Effect.sync(() => database.close())
  )

const openWriter = (filename: string) =>
  open(filename).pipe(
    Effect.tap((database) =>
      Effect.forEach(
        settings,
        // Connections that open a new file at the same time can contend for the switch to WAL.
        (setting) => retryWhileBusy(attempt("open", () => database.exec(setting))),
        { discard: true }
      )
    )
  )

/**
 * Maximum number of transactions that share a COMMIT. If the COMMIT fails, all these transactions
 * fail. Other programs wait for the lock while a group runs, which takes 3 ms for 32 versions of a
 * preset. On a disk that takes 8 ms for a COMMIT, groups of 1, 16, 32 and 256 reach 125, 1,200,
 * 2,300 and 3,200 transactions per second.
 */
export const groupSizeMax = 32

/** Creates a client with its own connections, which are closed with the scope. */
export const make = Effect.fnUntraced(function* ({
  filename
}: SqliteClientConfig): Effect.fn.Return<
  SqlClient.SqlClient,
  SqlError.SqlError,
  Scope.Scope | Reactivity.Reactivity
> {
  const database = yield* openWriter(filename)
  const isShared = isFile(filename)
  const counts = yield* makeDriverCounts
  const queue = WriterQueue.make({
    database,
    counts,
    connection: makeConnection(database, counts),
    check: makeIdentityCheck(filename),
    groupSizeMax: isShared ? groupSizeMax : 1
  })
  // An in-memory database has only one connection, and no disk to wait for.
  const reader = isShared ? yield* open(filename, { readOnly: true }) : undefined
  const borrower =
    reader === undefined
      ? queue.borrow
      : WriterQueue.makeBorrower(makeConnection(reader, counts), queue)
  const client = yield* SqlClient.make({
    acquirer: queue.lease,
    borrower,
    compiler: Statement.makeCompilerSqlite(),
    driver: "sqlite-node",
    spanAttributes
  })
  const service = client.transactionService
  const withTransaction = withHostSavepoints(service, queue.withTransaction(service))
  return withCapabilities(Object.assign(client, { withTransaction }), {
    isOurs: true,
    borrow: borrower
  })
})

/** Provides a client for the database with the given name. */
export const layer = (
  config: SqliteClientConfig
): Layer.Layer<SqlClient.SqlClient | Statements, SqlError.SqlError> =>
  clientLayer(make(config), sqliteStatements)
