/**
 * What every `WorkQueue` must do. An adapter is done when `suite` passes with its layer, which
 * brings the `JobStore` and the `WorkspaceStore` of the same database.
 */
import type { JobStore, WorkQueue, WorkspaceStore } from "@verbatim/core/ports"
import { contract } from "./cases/queue/WorkQueueCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

/** Registers the contract with Vitest. */
export const suite: Suite<WorkQueue | JobStore | WorkspaceStore> = suiteOf(contract)
