/**
 * What every `Summarizer` must do. An adapter is done when `suite` passes with its layer.
 */
import type { Summarizer } from "@verbatim/core/ports"
import { contract } from "./cases/SummarizerCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

/** Registers the contract with Vitest. */
export const suite: Suite<Summarizer> = suiteOf(contract)
