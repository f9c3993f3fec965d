/** Where outgoing requests may go, as far as the operator decides it. */
import { Context } from "effect"
import type { Networks } from "./Networks.ts"

/** What the operator allows. */
export interface OutboundPolicy {
  /** Private networks that may be reached although they are private. */
  readonly allowNetworks: Networks
}

export const OutboundPolicy: Context.Reference<OutboundPolicy> = Context.Reference(
  "@verbatim/core/domain/outbound/OutboundPolicy",
  { defaultValue: (): OutboundPolicy => ({ allowNetworks: [] }) }
)
