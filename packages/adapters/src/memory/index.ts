/**
 * Provides all stores and the work queue in memory, for tests, examples and single-process tools,
 * and as a reference for adapter authors. All data is lost when the process exits.
 */
import type { Stores } from "@verbatim/core/ports"
import { Layer } from "effect"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { operatorKeys } from "./MemoryApiKeys.ts"
import * as MemoryCorrectionStore from "./MemoryCorrectionStore.ts"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import * as MemoryJobStore from "./MemoryJobStore.ts"
import * as MemoryPresetStore from "./MemoryPresetStore.ts"
import * as MemoryRetentionStore from "./MemoryRetentionStore.ts"
import * as MemoryWorkerRegistry from "./MemoryWorkerRegistry.ts"
import * as MemoryWorkQueue from "./MemoryWorkQueue.ts"
import * as MemoryWorkspaceStore from "./MemoryWorkspaceStore.ts"

export { MemoryDatabase }

/** Provides all stores over the same set of tables. */
export const stores: Layer.Layer<Stores, never, MemoryDatabase> = Layer.mergeAll(
  MemoryCorrectionStore.layer,
  MemoryJobStore.layer,
  operatorKeys,
  MemoryPresetStore.layer,
  MemoryRetentionStore.layer,
  MemoryWorkerRegistry.layer,
  MemoryWorkQueue.layer,
  MemoryWorkspaceStore.layer,
  RateLimiter.layerStoreMemory
)

/** Provides all stores over a new, empty set of tables. */
export const layer: Layer.Layer<Stores> = stores.pipe(Layer.provide(MemoryDatabase.layer))
