/**
 * Effect's `SqlClient` over Node's own `node:sqlite`: a connection that writes, lent to one fiber
 * at a time, and for a file another one that reads. The layers are named as in
 * `@effect/sql-sqlite-node`, which can take its place.
 */
import { DatabaseSync } from "node:sqlite"
import { Effect, type Layer, type Scope } from "effect"
import type * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient, type SqlError, Statement } from "effect/sql"
import { clientLayer } from "../sql/ClientLayer.ts"
import { withTraits } from "../sql/ClientTraits.ts"
import { withHosts } from "../sql/host/HostLevel.ts"
import { makeDriverCounts } from "../sql/SqlCounts.ts"
import type { Statements } from "../sql/Statements.ts"
import { isFile, makeIdentityCheck } from "./DatabaseFile.ts"
import {
  attempt,
  blockedMillisMax,
  make as makeConnection,
  makeReadEdition,
  patiently,
  spanAttributes
} from "./SqliteConnection.ts"
import { sqliteStatements } from "./SqliteStatements.ts"
import * as SqliteTurns from "./SqliteTurns.ts"

/** Where the database is: a path, or `:memory:`. */
export interface SqliteClientConfig {
  readonly filename: string
}

const settings = [
  // Readers do not wait for the writer, nor the writer for them.
  "PRAGMA journal_mode = WAL",
  // A commit is on the disk before it is acknowledged. NORMAL would keep it through a crash of the
  // process, but not through a power cut. Price: 5,700 instead of 22,000 transactions a second.
  "PRAGMA synchronous = FULL",
  // On macOS a plain fsync leaves the bytes in the drive's cache. Elsewhere it changes nothing.
  "PRAGMA fullfsync = ON",
  "PRAGMA foreign_keys = ON",
  // A read: from here on the WAL is there, and no other program removes it at its end.
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
        // The first connections to a new file may contend for the switch to WAL.
        (setting) => patiently(attempt("open", () => database.exec(setting))),
        { discard: true }
      )
    )
  )

/**
 * How many transactions at most share a COMMIT, and fail with it. While they run, another program
 * waits for the lock: 32 versions of a preset take 3 ms. On a disk that takes 8 ms for a COMMIT,
 * groups of 1, 16, 32 and 256 make 125, 1,200, 2,300 and 3,200 transactions a second.
 */
export const groupSizeMax = 32

/** A client on connections of its own, open as long as the scope. */
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
  const turns = SqliteTurns.make({
    database,
    counts,
    connection: makeConnection(database, counts),
    check: makeIdentityCheck(filename),
    groupSizeMax: isShared ? groupSizeMax : 1
  })
  // A database that is not a file has one connection, and no disk to wait for.
  const reader = isShared ? yield* open(filename, { readOnly: true }) : undefined
  const borrower =
    reader === undefined
      ? turns.borrow
      : SqliteTurns.makeBorrower(makeConnection(reader, counts), turns)
  const client = yield* SqlClient.make({
    acquirer: turns.lease,
    borrower,
    compiler: Statement.makeCompilerSqlite(),
    driver: "sqlite-node",
    spanAttributes
  })
  const service = client.transactionService
  const withTransaction = withHosts(service, turns.withTransaction(service))
  return withTraits(Object.assign(client, { withTransaction }), {
    isOurs: true,
    borrow: borrower,
    readEdition: reader && makeReadEdition(reader)
  })
})

/** A client on the database of that name. */
export const layer = (
  config: SqliteClientConfig
): Layer.Layer<SqlClient.SqlClient | Statements, SqlError.SqlError> =>
  clientLayer(make(config), sqliteStatements)
