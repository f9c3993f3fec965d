/**
 * The stores in one SQLite file, which may be the host's own: then nothing of it is changed before
 * it is certain that the tables of the stores can be made beside the others.
 */
import { DatabaseSync } from "node:sqlite"
import type { Stores } from "@verbatim/core/ports"
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { layer as hostStores } from "../sql/HostStores.ts"
import type { HostTransaction } from "../sql/host/HostTransaction.ts"
import { type MigrationError, tableTaken } from "../sql/migration/MigrationError.ts"
import type { SchemaStanding } from "../sql/SchemaStanding.ts"
import { tableNames } from "../sql/StoreTables.ts"
import { isFile, makePrivate } from "./DatabaseFile.ts"
import { hostTransactions } from "./HostTransaction.ts"
import * as SqliteClient from "./SqliteClient.ts"
import { attempt } from "./SqliteConnection.ts"

/** Where the stores are. */
export interface SqliteStoresConfig extends SqliteClient.SqliteClientConfig {}

/** Why the database could not be opened or brought to the current schema. */
export type SqliteStoresError = MigrationError | SqlError.SqlError

/** The names in a file, in lower case: SQLite tells none apart by capital letters. */
const namesIn = (filename: string): ReadonlySet<string> => {
  const database = new DatabaseSync(filename, { readOnly: true })
  try {
    const rows = database.prepare("SELECT lower(name) AS name FROM sqlite_master").all()
    return new Set(rows.map(({ name }) => String(name)))
  } finally {
    database.close()
  }
}

/** Refuses a file in which others have our names. One that cannot be read says why when opened. */
const mustBeFree = Effect.fnUntraced(function* ({ filename }: SqliteStoresConfig) {
  if (!isFile(filename)) return
  const names = yield* Effect.orElseSucceed(
    attempt("open", () => namesIn(filename)),
    () => new Set<string>()
  )
  if (names.has("verbatim_migrations")) return
  const table = tableNames.find((name) => names.has(name))
  if (table !== undefined) return yield* tableTaken({ table, place: "the database" })
})

/** Makes a file that is missing, and looks at one that is there. Its settings stay as they are. */
export const prepareFile = Effect.fnUntraced(function* (
  config: SqliteStoresConfig
): Effect.fn.Return<void, SqliteStoresError> {
  yield* makePrivate(config.filename)
  yield* mustBeFree(config)
})

/** The stores in the file of that name, which is made where it is missing, or in `:memory:`. */
export const layer = (
  config: SqliteStoresConfig
): Layer.Layer<HostTransaction | Stores | SchemaStanding, SqliteStoresError> =>
  Layer.merge(hostStores(), hostTransactions).pipe(
    Layer.provide(SqliteClient.layer(config)),
    Layer.provide(Layer.effectDiscard(prepareFile(config)))
  )
