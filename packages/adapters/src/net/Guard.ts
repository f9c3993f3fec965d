/**
 * The parts of the guard of outbound connections, and all of its limits. The limits are values, so
 * that a test can wait milliseconds where production waits minutes.
 */

import type { Networks } from "@verbatim/core/outbound"
import { Duration, Option } from "effect"
import { IpNetwork } from "effect/net"
import { type Resolve, resolverOver } from "./Resolver.ts"

/** Limits of one request to the outside. */
export interface Limits {
  /** To connect, TLS included: section B of the decisions, webhook timing. */
  readonly connectTimeout: Duration.Duration
  /** For the whole check of a URL, redirects and names included: section B, URL check. */
  readonly checkTimeout: Duration.Duration
  /** From the start of a download to the head of the last answer; slow origins prepare files. */
  readonly openTimeout: Duration.Duration
  /** Between two pieces of a download. */
  readonly idleTimeout: Duration.Duration
  /** Over each `paceWindow` of waiting. Anything slower is a dripping peer, not a slow line. */
  readonly bytesPerSecondMin: number
  readonly paceWindow: Duration.Duration
  /** For a whole download. At the minimum pace 225 MiB pass, more than the default file size. */
  readonly transferTimeout: Duration.Duration
  /** Section C: downloads follow at most 5, webhooks none. */
  readonly redirectMax: number
  /** Bytes of the head of an answer, as Node's own servers allow. */
  readonly headBytesMax: number
  /** Bytes of everything before a download, informational answers included. */
  readonly preludeBytesMax: number
  /** Bytes of the body of a webhook's answer: section B, webhook timing. */
  readonly answerBytesMax: number
  /** For that body, once the status is known: enough for a polite end, too short to hold us up. */
  readonly answerTimeout: Duration.Duration
  /** Addresses of a name that are tried, one after the other; they share `connectTimeout`. */
  readonly addressMax: number
  /** Connections to receivers that wait for their next webhook, in all. */
  readonly idleConnectionMax: number
  /** For so long: many servers close theirs after 5 s, and what is sent into that is lost. */
  readonly idleConnectionTimeout: Duration.Duration
}

/** The limits of production. */
export const limits: Limits = {
  connectTimeout: Duration.seconds(5),
  checkTimeout: Duration.seconds(10),
  openTimeout: Duration.seconds(30),
  idleTimeout: Duration.seconds(30),
  bytesPerSecondMin: 32 * 1024,
  paceWindow: Duration.seconds(30),
  transferTimeout: Duration.hours(2),
  redirectMax: 5,
  headBytesMax: 16 * 1024,
  preludeBytesMax: 64 * 1024,
  answerBytesMax: 64 * 1024,
  answerTimeout: Duration.seconds(2),
  addressMax: 4,
  idleConnectionMax: 64,
  idleConnectionTimeout: Duration.seconds(3)
}

/** What judges and bounds every outbound request. */
export interface Guard {
  readonly allowNetworks: Networks
  readonly resolve: Resolve
  readonly limits: Limits
}

/** What a host chooses. */
export interface GuardOptions {
  /** Networks that may be reached although they are not public. */
  readonly allowNetworks: Networks
  /** The machine's resolver when it is left out. */
  readonly resolve?: Resolve
  /** Replaces some of the limits of production. */
  readonly limits?: Partial<Limits>
}

/** The guard for these options. */
export const make = (options: GuardOptions): Guard => ({
  allowNetworks: options.allowNetworks,
  resolve: options.resolve ?? resolverOver({ hasPrivateNames: options.allowNetworks.length > 0 }),
  limits: { ...limits, ...options.limits }
})

// One origin that the operator wrote into the configuration, such as a model server on this
// machine. It may be private: the guard opens for exactly this scheme, host and port, and for
// nothing that a caller or an answer names.

/** An origin, and the guard that lets requests to it pass, wherever its name leads. */
export interface TrustedOrigin {
  /** As `URL.origin` writes it. */
  readonly origin: string
  readonly guard: Guard
}

/** The operator named the host, so a private address is no surprise. */
const everywhere: Networks = ["0.0.0.0/0", "::/0"].map(IpNetwork.fromStringUnsafe)

/** The origin of a URL, trusted; none when the text is no URL of the web. */
export const trust = (
  url: string,
  options: Omit<GuardOptions, "allowNetworks"> = {}
): Option.Option<TrustedOrigin> => {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return Option.none()
  return Option.some({
    origin: parsed.origin,
    guard: make({ ...options, allowNetworks: everywhere })
  })
}
