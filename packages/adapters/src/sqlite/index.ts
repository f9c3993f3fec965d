/** The stores in one SQLite file, for one machine and several processes on it. */
export * as HostClient from "./HostClient.ts"
export { type HostDatabase, hostTransactions, within } from "./HostTransaction.ts"
export * as SqliteClient from "./SqliteClient.ts"
export * as SqliteCopy from "./SqliteCopy.ts"
/** The statements for SQLite clients that Verbatim did not make. */
export { sqliteStatements as statements } from "./SqliteStatements.ts"
export { layer, type SqliteStoresConfig, type SqliteStoresError } from "./SqliteStores.ts"
