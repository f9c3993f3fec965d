/** Provides the stores in one Postgres database, for many processes on many machines. */
export * as HostClient from "./HostClient.ts"
export { hostTransactions, within } from "./HostTransaction.ts"
export type { HostConnection } from "./host/HostQueries.ts"
export * as PoolClient from "./PoolClient.ts"
export * as PostgresClient from "./PostgresClient.ts"
export * as PostgresCopy from "./PostgresCopy.ts"
/** The statements for Postgres clients that Verbatim did not create. */
export { postgresStatements as statements } from "./PostgresStatements.ts"
export { layer, type PostgresStoresConfig, type PostgresStoresError } from "./PostgresStores.ts"
