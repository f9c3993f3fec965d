/**
 * Everything in one Postgres database: the stores for many processes on many machines.
 */
import type { Stores } from "@verbatim/core/ports"
import { Config, Effect, Layer } from "effect"
import type * as Sql from "../sql/index.ts"
import { layer, type PostgresStoresConfig, type PostgresStoresError } from "./PostgresStores.ts"

export * as HostClient from "./HostClient.ts"
export { hostTransactions, within } from "./HostTransaction.ts"
export type { HostConnection } from "./host/HostQueries.ts"
export * as PoolClient from "./PoolClient.ts"
export * as PostgresClient from "./PostgresClient.ts"
export * as PostgresCopy from "./PostgresCopy.ts"
/** For a client of Postgres other than ours. */
export { postgresStatements as statements } from "./PostgresStatements.ts"
export { layer, type PostgresStoresConfig, type PostgresStoresError } from "./PostgresStores.ts"

/** The stores in the database that the configuration names. */
export const layerConfig = (
  config: Config.Wrap<PostgresStoresConfig>
): Layer.Layer<
  Sql.HostTransaction | Stores | Sql.SchemaStanding,
  PostgresStoresError | Config.ConfigError
> => Layer.unwrap(Effect.map(Config.unwrap(config), layer))
