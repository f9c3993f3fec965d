/** Provides the stores in one SQLite file, which several processes on one machine can share. */
export * as HostClient from "./HostClient.ts"
export { type HostDatabase, hostTransactions, within } from "./HostTransaction.ts"
export * as SqliteClient from "./SqliteClient.ts"
export * as SqliteCopy from "./SqliteCopy.ts"
/** The statements for SQLite clients that Verbatim did not create. */
export { sqliteStatements as statements } from "./SqliteStatements.ts"
export { layer, type SqliteStoresConfig, type SqliteStoresError } from "./SqliteStores.ts"
