/**
 * Provides the stores in one SQLite file, which may be the host's own. The file is changed only
 * after a check that the stores' tables can be created alongside the host's tables.
 */
import { DatabaseSync } from "node:sqlite"
import type { Stores } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { layer as hostStores } from "../sql/HostStores.ts"
import type { HostTransaction } from "../sql/host/HostEntry.ts"
import type { SchemaMonitor } from "../sql/Migrations.ts"
import { type MigrationError, migrationError } from "../sql/migration/MigrationError.ts"
import { tableNames } from "../sql/StoreTables.ts"
import { isFile, makePrivate } from "./DatabaseFile.ts"
import { hostTransactions } from "./HostTransaction.ts"
import * as SqliteClient from "./SqliteClient.ts"
import { attempt } from "./SqliteConnection.ts"

/** The SQLite file that contains the stores, and options for the client. */
export interface SqliteStoresConfig extends SqliteClient.SqliteClientConfig {}

/** The reasons why the database could not be opened or migrated. */
export type SqliteStoresError = MigrationError | SqlError.SqlError

/** Reads the names in a file, in lower case, because SQLite ignores the case of names. */
const namesIn = (filename: string): ReadonlySet<string> => {
  const database = new DatabaseSync(filename, { readOnly: true })
  try {
    const rows = database.prepare("SELECT lower(name) AS name FROM sqlite_master").all()
    return new Set(rows.map(({ name }) => String(name)))
  } finally {
    database.close()
  }
}

/**
 * Refuses a file that contains other tables with the names of the stores' tables. If a file cannot
 * be read, opening the file reports the reason.
 */
const requireFreeNames = Effect.fnUntraced(function* ({ filename }: SqliteStoresConfig) {
  if (!isFile(filename)) return
  const names = yield* Effect.orElseSucceed(
    attempt("open", () => namesIn(filename)),
    () => new Set<string>()
  )
  if (names.has("verbatim_migrations")) return
  const table = tableNames.find((name) => names.has(name))
  if (table !== undefined) {
    return yield* migrationError({ _tag: "TableTaken", table, location: "the database" })
  }
})

/**
 * Creates the database file if it is missing. An existing file is checked, but keeps its settings.
 */
export const prepareFile = Effect.fnUntraced(function* (
  config: SqliteStoresConfig
): Effect.fn.Return<void, SqliteStoresError> {
  yield* makePrivate(config.filename)
  yield* requireFreeNames(config)
})

/** Provides the stores in the file with the given name (created if missing) or in `:memory:`. */
export const layer = (
  config: SqliteStoresConfig
): Layer.Layer<HostTransaction | Stores | SchemaMonitor, SqliteStoresError> =>
  Layer.merge(hostStores(), hostTransactions).pipe(
    Layer.provide(SqliteClient.layer(config)),
    Layer.provide(Layer.effectDiscard(prepareFile(config)))
  )
