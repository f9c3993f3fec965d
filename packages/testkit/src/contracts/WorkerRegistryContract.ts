/**
 * What every `WorkerRegistry` must do. An adapter is done when `suite` passes with its layer, which
 * brings the `JobStore`, the `WorkQueue` and the `WorkspaceStore` of the same database.
 */
import type { JobStore, WorkerRegistry, WorkQueue, WorkspaceStore } from "@verbatim/core/ports"
import { contract } from "./cases/WorkerRegistryCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

/** Registers the contract with Vitest. */
export const suite: Suite<JobStore | WorkerRegistry | WorkQueue | WorkspaceStore> =
  suiteOf(contract)
