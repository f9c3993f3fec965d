/**
 * What every `OperatorKeyStore` must do. An adapter is done when `suite` passes with its layer.
 */
import type { OperatorKeyStore } from "@verbatim/core/ports"
import { contract } from "./cases/workspaces/OperatorKeyStoreCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

/** Registers the contract with Vitest. */
export const suite: Suite<OperatorKeyStore> = suiteOf(contract)
