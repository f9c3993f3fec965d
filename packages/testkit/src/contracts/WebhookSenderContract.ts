/**
 * What every `WebhookSender` must do. An adapter is done when `suite` passes with its layer, to
 * which the test adds `Receivers`. Where it may not go is left to the adapter's own tests.
 */
import type { WebhookSender } from "@verbatim/core/ports"
import { contract, type Receivers } from "./cases/WebhookSenderCases.ts"
import { type Suite, suiteOf } from "./Vitest.ts"

/** Registers the contract with Vitest. */
export const suite: Suite<WebhookSender | Receivers> = suiteOf(contract)
