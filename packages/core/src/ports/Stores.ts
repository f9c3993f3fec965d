/**
 * The ports that one database implements, so that a change across several ports is one transaction.
 */
import type { RateLimiter } from "effect/persistence"
import type { CorrectionStore } from "./CorrectionStore.ts"
import type { JobStore } from "./JobStore.ts"
import type { OperatorKeyStore } from "./OperatorKeyStore.ts"
import type { PresetStore } from "./PresetStore.ts"
import type { RetentionStore } from "./RetentionStore.ts"
import type { WorkerRegistry } from "./WorkerRegistry.ts"
import type { WorkQueue } from "./WorkQueue.ts"
import type { WorkspaceStore } from "./WorkspaceStore.ts"

/** The ports of a database. */
export type Stores =
  | CorrectionStore
  | JobStore
  | OperatorKeyStore
  | PresetStore
  | RateLimiter.RateLimiterStore
  | RetentionStore
  | WorkerRegistry
  | WorkQueue
  | WorkspaceStore
