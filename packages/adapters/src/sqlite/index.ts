/**
 * Everything in one SQLite file: the stores for one machine, and for several processes on it.
 */
import type { Stores } from "@verbatim/core/ports"
import { Config, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import * as Sql from "../sql/index.ts"
import { makePrivate } from "./DatabaseFile.ts"
import { hostTransactions } from "./HostTransaction.ts"
import * as SqliteClient from "./SqliteClient.ts"

export { type HostDatabase, hostTransactions, within } from "./HostTransaction.ts"
export * as SqliteClient from "./SqliteClient.ts"
export * as SqliteCopy from "./SqliteCopy.ts"
/** For a client of SQLite other than ours. */
export { sqliteStatements as statements } from "./SqliteStatements.ts"

/** Why the database could not be opened or brought to the current schema. */
export type SqliteStoresError = Sql.Migrations.MigrationError | SqlError.SqlError

/** The stores in the file of that name, which is made where it is missing, or in `:memory:`. */
export const layer = (
  config: SqliteClient.SqliteClientConfig
): Layer.Layer<Sql.HostTransaction | Stores | Sql.SchemaStanding, SqliteStoresError> =>
  Layer.mergeAll(Sql.layer, Sql.SchemaStanding.layer, hostTransactions).pipe(
    Layer.provide(SqliteClient.layer(config)),
    Layer.provide(Layer.effectDiscard(makePrivate(config.filename)))
  )

/** The stores in the file that the configuration names. */
export const layerConfig = (
  config: Config.Wrap<SqliteClient.SqliteClientConfig>
): Layer.Layer<
  Sql.HostTransaction | Stores | Sql.SchemaStanding,
  SqliteStoresError | Config.ConfigError
> => Layer.unwrap(Effect.map(Config.unwrap(config), layer))
