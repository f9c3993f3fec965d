/**
 * Everything in one SQLite file: the stores for one machine, and for several processes on it.
 */
import type { Stores } from "@verbatim/core/ports"
import { Config, Effect, Layer } from "effect"
import type * as Sql from "../sql/index.ts"
import { layer, type SqliteStoresConfig, type SqliteStoresError } from "./SqliteStores.ts"

export * as HostClient from "./HostClient.ts"
export { type HostDatabase, hostTransactions, within } from "./HostTransaction.ts"
export * as SqliteClient from "./SqliteClient.ts"
export * as SqliteCopy from "./SqliteCopy.ts"
/** For a client of SQLite other than ours. */
export { sqliteStatements as statements } from "./SqliteStatements.ts"
export { layer, type SqliteStoresConfig, type SqliteStoresError } from "./SqliteStores.ts"

/** The stores in the file that the configuration names. */
export const layerConfig = (
  config: Config.Wrap<SqliteStoresConfig>
): Layer.Layer<
  Sql.HostTransaction | Stores | Sql.SchemaStanding,
  SqliteStoresError | Config.ConfigError
> => Layer.unwrap(Effect.map(Config.unwrap(config), layer))
