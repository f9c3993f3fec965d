/**
 * What every `CorrectionStore` must do. An adapter is done when `suite` passes with its layer,
 * which brings the other stores of the same database.
 */
import { contract, type Ports } from "./cases/corrections/CorrectionStoreCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

/** Registers the contract with Vitest. */
export const suite: Suite<Ports> = suiteOf(contract)
