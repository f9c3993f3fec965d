/**
 * What every `RateLimiterStore` must do. An adapter is done when `suite` passes with its layer.
 */
import type { RateLimiter } from "effect/persistence"
import { contract } from "./cases/RateLimiterStoreCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

/** Registers the contract with Vitest. */
export const suite: Suite<RateLimiter.RateLimiterStore> = suiteOf(contract)
