/**
 * Effect's `SqlClient` over the `node:sqlite` that Node carries: one connection, lent to one fiber
 * at a time. The layers are named as in `@effect/sql-sqlite-node`, which can take its place.
 */
import { DatabaseSync } from "node:sqlite"
import { Config, Effect, Layer, type Scope, Semaphore } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlError, Statement } from "effect/sql"
import { attempt, blockedMillisMax, patiently } from "./SqliteAttempt.ts"
import { make as makeConnection } from "./SqliteConnection.ts"

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
  "PRAGMA foreign_keys = ON"
]

const open = ({ filename }: SqliteClientConfig) =>
  Effect.acquireRelease(
    attempt("open", () => new DatabaseSync(filename, { timeout: blockedMillisMax })),
    (database) => Effect.sync(() => database.close())
  ).pipe(
    Effect.tap((database) =>
      Effect.forEach(
        settings,
        // The first connections to a new file may contend for the switch to WAL.
        (setting) => patiently(attempt("open", () => database.exec(setting))),
        { discard: true }
      )
    )
  )

/** A client on its own connection, open as long as the scope. */
export const make = Effect.fnUntraced(function* (
  config: SqliteClientConfig
): Effect.fn.Return<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope | Reactivity.Reactivity> {
  const database = yield* open(config)
  const connection = makeConnection(database)
  const { acquirer, borrower, isTransaction, onCommitFailure, transactionAcquirer } =
    SqlClient.makeSqliteAcquirers({
      connection: Effect.succeed(connection),
      semaphore: yield* Semaphore.make(1),
      isTransaction: () => database.isTransaction
    })
  return yield* SqlClient.make({
    acquirer,
    borrower,
    transactionAcquirer,
    isTransaction,
    onCommitFailure,
    compiler: Statement.makeCompilerSqlite(),
    driver: "sqlite-node",
    spanAttributes: [["db.system.name", "sqlite"]],
    // A plain BEGIN reads first, and fails at its first write when another connection wrote since.
    beginTransaction: "BEGIN IMMEDIATE",
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`
  })
})

/** A client on the database of that name. */
export const layer = (
  config: SqliteClientConfig
): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient)(make(config)).pipe(Layer.provide(Reactivity.layer))

/** A client on the database that the configuration names. */
export const layerConfig = (
  config: Config.Wrap<SqliteClientConfig>
): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError | Config.ConfigError> =>
  Layer.effect(SqlClient.SqlClient)(Effect.flatMap(Config.unwrap(config), make)).pipe(
    Layer.provide(Reactivity.layer)
  )
