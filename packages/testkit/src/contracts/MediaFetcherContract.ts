/**
 * What every `MediaFetcher` must do. An adapter is done when `suite` passes with its layer, to
 * which the test adds `MediaHosts`. Where it may not go is left to the adapter's own tests.
 */
import type { MediaFetcher } from "@verbatim/core/ports"
import { contract, type MediaHosts } from "./cases/media/MediaFetcherCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

/** Registers the contract with Vitest. */
export const suite: Suite<MediaFetcher | MediaHosts> = suiteOf(contract)
