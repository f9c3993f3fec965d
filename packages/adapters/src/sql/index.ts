/**
 * Provides the stores over a `SqlClient`: the host's own, or one from `@verbatim/adapters/postgres`
 * or `/sqlite`.
 */
export * as StoreCopy from "./copy/StoreCopy.ts"
export {
  client,
  type HostStoresError,
  layer,
  migratedStores
} from "./HostStores.ts"
export type { RunInTransaction } from "./host/HostEntry.ts"
export { HostTransaction } from "./host/HostEntry.ts"
export { HostTransactionError } from "./host/HostTransactionError.ts"
export * as Migrations from "./Migrations.ts"
export { SchemaMonitor } from "./Migrations.ts"
export * as PoolerCheck from "./migration/PoolerCheck.ts"
export * as SchemaName from "./SchemaName.ts"
export * as SqlCorrectionStore from "./SqlCorrectionStore.ts"
export * as SqlJobStore from "./SqlJobStore.ts"
export { sqlMetrics, sqlTable } from "./SqlMetrics.ts"
export * as SqlOperatorKeyStore from "./SqlOperatorKeyStore.ts"
export * as SqlPresetStore from "./SqlPresetStore.ts"
export * as SqlRateLimiterStore from "./SqlRateLimiterStore.ts"
export * as SqlRetentionStore from "./SqlRetentionStore.ts"
export * as SqlWorkerRegistry from "./SqlWorkerRegistry.ts"
export * as SqlWorkQueue from "./SqlWorkQueue.ts"
export * as SqlWorkspaceStore from "./SqlWorkspaceStore.ts"
export { Statements } from "./Statements.ts"
export { ReservedSessions } from "./session/Sessions.ts"
