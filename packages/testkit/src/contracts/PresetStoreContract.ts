/**
 * What every `PresetStore` must do. An adapter is done when `suite` passes with its layer, which
 * brings the `WorkspaceStore` of the same database.
 */
import type { PresetStore, WorkspaceStore } from "@verbatim/core/ports"
import { contract } from "./cases/presets/PresetStoreCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

/** Registers the contract with Vitest. */
export const suite: Suite<PresetStore | WorkspaceStore> = suiteOf(contract)
