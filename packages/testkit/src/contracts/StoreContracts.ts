/**
 * What a database that serves every store must do: the contracts of all of them in one call. Each
 * asks the others of the same database what it needs to know.
 */
import type { Stores } from "@verbatim/core/ports"
import type { Layer } from "effect"
import * as CorrectionStoreContract from "./CorrectionStoreContract.ts"
import * as JobStoreContract from "./JobStoreContract.ts"
import * as OperatorKeyStoreContract from "./OperatorKeyStoreContract.ts"
import * as PresetStoreContract from "./PresetStoreContract.ts"
import * as RateLimiterStoreContract from "./RateLimiterStoreContract.ts"
import * as RetentionStoreContract from "./RetentionStoreContract.ts"
import type { Options, Skip } from "./Vitest.ts"
import * as WorkerRegistryContract from "./WorkerRegistryContract.ts"
import * as WorkQueueContract from "./WorkQueueContract.ts"
import * as WorkspaceStoreContract from "./WorkspaceStoreContract.ts"

/** What a database needs besides its layer. */
export interface StoreOptions<Ports> extends Pick<Options<Ports>, "advance"> {
  /** Cases that it cannot pass, by their port. */
  readonly skip?: Partial<
    Record<
      | "CorrectionStore"
      | "JobStore"
      | "OperatorKeyStore"
      | "PresetStore"
      | "RateLimiterStore"
      | "RetentionStore"
      | "WorkerRegistry"
      | "WorkQueue"
      | "WorkspaceStore",
      ReadonlyArray<Skip>
    >
  >
}

/** Registers the contracts of all stores with Vitest, for one database. */
export const suite = <R = never>(
  name: string,
  layer: Layer.Layer<Stores | R, unknown>,
  { skip = {}, ...time }: StoreOptions<Stores | R> = {}
): void => {
  const { JobStore = [], PresetStore = [], WorkerRegistry = [], WorkQueue = [] } = skip
  CorrectionStoreContract.suite(name, layer, { ...time, skip: skip.CorrectionStore ?? [] })
  JobStoreContract.suite(name, layer, { ...time, skip: JobStore })
  OperatorKeyStoreContract.suite(name, layer, { ...time, skip: skip.OperatorKeyStore ?? [] })
  PresetStoreContract.suite(name, layer, { ...time, skip: PresetStore })
  RateLimiterStoreContract.suite(name, layer, { ...time, skip: skip.RateLimiterStore ?? [] })
  RetentionStoreContract.suite(name, layer, { ...time, skip: skip.RetentionStore ?? [] })
  WorkerRegistryContract.suite(name, layer, { ...time, skip: WorkerRegistry })
  WorkQueueContract.suite(name, layer, { ...time, skip: WorkQueue })
  WorkspaceStoreContract.suite(name, layer, { ...time, skip: skip.WorkspaceStore ?? [] })
}
