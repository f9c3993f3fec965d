/**
 * The stores over any `SqlClient` that comes with the `Statements` of its database.
 */
import type { Stores } from "@verbatim/core/ports"
import { Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Migrations from "./Migrations.ts"
import * as SqlJobStore from "./SqlJobStore.ts"
import * as SqlOperatorKeyStore from "./SqlOperatorKeyStore.ts"
import * as SqlPresetStore from "./SqlPresetStore.ts"
import * as SqlRateLimiterStore from "./SqlRateLimiterStore.ts"
import * as SqlRetentionStore from "./SqlRetentionStore.ts"
import * as SqlWorkerRegistry from "./SqlWorkerRegistry.ts"
import * as SqlWorkQueue from "./SqlWorkQueue.ts"
import * as SqlWorkspaceStore from "./SqlWorkspaceStore.ts"
import type { Statements } from "./Statements.ts"

export * as StoreCopy from "./copy/StoreCopy.ts"
export type { Within } from "./host/HostDoor.ts"
export { HostTransaction } from "./host/HostTransaction.ts"
export { HostTransactionError } from "./host/HostTransactionError.ts"
export * as Migrations from "./Migrations.ts"
export { SchemaStanding } from "./SchemaStanding.ts"
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
export * as ReservedSessions from "./session/ReservedSessions.ts"

/** The stores over a database that has the current schema. */
export const migratedStores: Layer.Layer<Stores, never, SqlClient.SqlClient | Statements> =
  Layer.mergeAll(
    SqlJobStore.layer,
    SqlOperatorKeyStore.layer,
    SqlPresetStore.layer,
    SqlRateLimiterStore.layer,
    SqlRetentionStore.layer,
    SqlWorkerRegistry.layer,
    SqlWorkQueue.layer,
    SqlWorkspaceStore.layer
  )

/** The stores, once the database has the current schema. */
export const layer: Layer.Layer<
  Stores,
  Migrations.MigrationError | SqlError.SqlError,
  SqlClient.SqlClient | Statements
> = migratedStores.pipe(Layer.provideMerge(Migrations.layer))
