/**
 * What every `WorkspaceStore` must do. An adapter is done when `suite` passes with its layer.
 */
import type { WorkspaceStore } from "@verbatim/core/ports"
import { contract } from "./cases/workspaces/WorkspaceStoreCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

/** Registers the contract with Vitest. */
export const suite: Suite<WorkspaceStore> = suiteOf(contract)
