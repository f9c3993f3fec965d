/**
 * What every `JobStore` must do. An adapter is done when `suite` passes with its layer, which
 * brings the `WorkQueue` and the `WorkspaceStore` of the same database.
 */
import type { JobStore, WorkQueue, WorkspaceStore } from "@verbatim/core/ports"
import { contract } from "./cases/jobs/JobStoreCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

/** Registers the contract with Vitest. */
export const suite: Suite<JobStore | WorkQueue | WorkspaceStore> = suiteOf(contract)
