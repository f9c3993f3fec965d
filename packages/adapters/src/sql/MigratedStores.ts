/**
 * The stores over any client that comes with the `Statements` of its database.
 */
import type { Stores } from "@verbatim/core/ports"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import * as SqlCorrectionStore from "./SqlCorrectionStore.ts"
import * as SqlJobStore from "./SqlJobStore.ts"
import * as SqlOperatorKeyStore from "./SqlOperatorKeyStore.ts"
import * as SqlPresetStore from "./SqlPresetStore.ts"
import * as SqlRateLimiterStore from "./SqlRateLimiterStore.ts"
import * as SqlRetentionStore from "./SqlRetentionStore.ts"
import * as SqlWorkerRegistry from "./SqlWorkerRegistry.ts"
import * as SqlWorkQueue from "./SqlWorkQueue.ts"
import * as SqlWorkspaceStore from "./SqlWorkspaceStore.ts"
import type { Statements } from "./Statements.ts"

/** The stores over a database that has the current schema. */
export const migratedStores: Layer.Layer<Stores, never, SqlClient.SqlClient | Statements> =
  Layer.mergeAll(
    SqlCorrectionStore.layer,
    SqlJobStore.layer,
    SqlOperatorKeyStore.layer,
    SqlPresetStore.layer,
    SqlRateLimiterStore.layer,
    SqlRetentionStore.layer,
    SqlWorkerRegistry.layer,
    SqlWorkQueue.layer,
    SqlWorkspaceStore.layer
  )
