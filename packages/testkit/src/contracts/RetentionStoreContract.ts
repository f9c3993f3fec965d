/**
 * What every `RetentionStore` must do. An adapter is done when `suite` passes with its layer, which
 * brings the other stores of the same database.
 */
import type { Ports } from "./cases/retention/Retention.ts"
import { contract } from "./cases/retention/RetentionStoreCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

/** Registers the contract with Vitest. */
export const suite: Suite<Ports> = suiteOf(contract)
