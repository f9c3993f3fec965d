/**
 * The stores over a `SqlClient`: of the host, or of `@verbatim/adapters/postgres` and `/sqlite`.
 */
export * as StoreCopy from "./copy/StoreCopy.ts"
export {
  client,
  type Dialect,
  type HostOptions,
  type HostStoresError,
  layer,
  migratedStores
} from "./HostStores.ts"
export type { Within } from "./host/HostDoor.ts"
export { HostTransaction } from "./host/HostTransaction.ts"
export { HostTransactionError } from "./host/HostTransactionError.ts"
export * as Migrations from "./Migrations.ts"
export * as KeptSessions from "./migration/KeptSessions.ts"
export * as SchemaName from "./SchemaName.ts"
export { SchemaStanding } from "./SchemaStanding.ts"
export * as SqlCorrectionStore from "./SqlCorrectionStore.ts"
export { sqlMetrics } from "./SqlCounts.ts"
export * as SqlJobStore from "./SqlJobStore.ts"
export * as SqlOperatorKeyStore from "./SqlOperatorKeyStore.ts"
export * as SqlPresetStore from "./SqlPresetStore.ts"
export * as SqlRateLimiterStore from "./SqlRateLimiterStore.ts"
export * as SqlRetentionStore from "./SqlRetentionStore.ts"
export { sqlTable } from "./SqlTable.ts"
export * as SqlWorkerRegistry from "./SqlWorkerRegistry.ts"
export * as SqlWorkQueue from "./SqlWorkQueue.ts"
export * as SqlWorkspaceStore from "./SqlWorkspaceStore.ts"
export { Statements } from "./Statements.ts"
export { ReservedSessions } from "./session/Sessions.ts"
