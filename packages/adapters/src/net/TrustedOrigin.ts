/**
 * One origin that the operator wrote into the configuration, such as a model server on this
 * machine. It may be private: the guard opens for exactly this scheme, host and port, and for
 * nothing that a caller or an answer names.
 */
import type { Networks } from "@verbatim/core/outbound"
import { Option } from "effect"
import { IpNetwork } from "effect/net"
import * as Guard from "./Guard.ts"

/** An origin, and the guard that lets requests to it pass, wherever its name leads. */
export interface TrustedOrigin {
  /** As `URL.origin` writes it. */
  readonly origin: string
  readonly guard: Guard.Guard
}

/** The operator named the host, so a private address is no surprise. */
const everywhere: Networks = ["0.0.0.0/0", "::/0"].map(IpNetwork.fromStringUnsafe)

/** The origin of a URL, trusted; none when the text is no URL of the web. */
export const trust = (
  url: string,
  options: Omit<Guard.GuardOptions, "allowNetworks"> = {}
): Option.Option<TrustedOrigin> => {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return Option.none()
  return Option.some({
    origin: parsed.origin,
    guard: Guard.make({ ...options, allowNetworks: everywhere })
  })
}
