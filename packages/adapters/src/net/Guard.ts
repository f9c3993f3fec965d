/** Defines the guard for outbound connections, with all limits. Tests can pass shorter limits. */

import type { Networks } from "@verbatim/core/outbound"
import { Duration, Option } from "effect"
import { IpNetwork } from "effect/net"
import { type Resolve, resolverOver } from "./Resolver.ts"

/** Limits for one outbound request. */
export interface Limits {
  /** Time limit for connecting, including TLS (decisions, section B, webhook timing). */
  readonly connectTimeout: Duration.Duration
  /**
   * Time limit for a complete URL check, including redirects and name resolution (decisions,
   * section B).
   */
  readonly checkTimeout: Duration.Duration
  /**
   * Time limit from the start of a download until the head of the final response. Some origins
   * prepare the file before they respond.
   */
  readonly openTimeout: Duration.Duration
  /** Maximum time between two chunks of a download. */
  readonly idleTimeout: Duration.Duration
  /**
   * Minimum speed in each `paceWindow` of waiting. A slower transfer is treated as an attack, not
   * as a slow line.
   */
  readonly bytesPerSecondMin: number
  readonly paceWindow: Duration.Duration
  /**
   * Time limit for a whole download: enough for 225 MiB at the minimum speed, which is more than
   * the default file size limit.
   */
  readonly transferTimeout: Duration.Duration
  /** Maximum number of redirects: 5 for downloads, and 0 for webhooks (decisions, section C). */
  readonly maxRedirects: number
  /** Maximum size of a response's head in bytes, the same as in Node's own servers. */
  readonly maxHeadBytes: number
  /**
   * Maximum number of bytes before the content of a download, including informational responses.
   */
  readonly maxPreludeBytes: number
  /** Maximum size in bytes of a webhook response's body (decisions, section B, webhook timing). */
  readonly maxAnswerBytes: number
  /**
   * Time limit for reading the body of a webhook response: long enough for the exchange to end
   * cleanly, short enough not to delay the sender.
   */
  readonly answerTimeout: Duration.Duration
  /** Maximum number of addresses to try for one name. All attempts share `connectTimeout`. */
  readonly maxAddresses: number
  /** Maximum number of idle connections to receivers, in total. */
  readonly maxIdleConnections: number
  /**
   * Maximum idle time: many servers close an idle connection after 5 s, and lose a request sent at
   * that moment.
   */
  readonly idleConnectionTimeout: Duration.Duration
}

/** The limits that apply in production. */
export const limits: Limits = {
  connectTimeout: Duration.seconds(5),
  checkTimeout: Duration.seconds(10),
  openTimeout: Duration.seconds(30),
  idleTimeout: Duration.seconds(30),
  bytesPerSecondMin: 32 * 1024,
  paceWindow: Duration.seconds(30),
  transferTimeout: Duration.hours(2),
  maxRedirects: 5,
  maxHeadBytes: 16 * 1024,
  maxPreludeBytes: 64 * 1024,
  maxAnswerBytes: 64 * 1024,
  answerTimeout: Duration.seconds(2),
  maxAddresses: 4,
  maxIdleConnections: 64,
  idleConnectionTimeout: Duration.seconds(3)
}

/** Checks every outbound request and enforces its limits. */
export interface Guard {
  readonly allowedNetworks: Networks
  readonly resolve: Resolve
  readonly limits: Limits
}

/** Options for the guard. */
export interface GuardOptions {
  /** Networks that are allowed although they are not public. */
  readonly allowedNetworks: Networks
  /** The function that resolves names. Default: the machine's resolver. */
  readonly resolve?: Resolve
  /** Limits that replace the production limits, for tests. */
  readonly limits?: Partial<Limits>
}

/** Creates a guard with the given options. */
export const make = (options: GuardOptions): Guard => ({
  allowedNetworks: options.allowedNetworks,
  resolve: options.resolve ?? resolverOver({ hasPrivateNames: options.allowedNetworks.length > 0 }),
  limits: { ...limits, ...options.limits }
})

// An origin from the operator's configuration, such as a model server on the same machine. The
// origin's address may be private: the guard allows exactly this scheme, host and port, and no
// other address that a caller or a response names.

/** An origin, with a guard that allows requests to this origin at any address. */
export interface TrustedOrigin {
  /** The origin, in the form of `URL.origin`. */
  readonly origin: string
  readonly guard: Guard
}

/** The operator chose the host, so any address is allowed. */
const allNetworks: Networks = ["0.0.0.0/0", "::/0"].map(IpNetwork.fromStringUnsafe)

/** Returns the trusted origin of a URL, or none if the string is not an HTTP URL. */
export const trust = (
  url: string,
  options: Omit<GuardOptions, "allowedNetworks"> = {}
): Option.Option<TrustedOrigin> => {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return Option.none()
  return Option.some({
    origin: parsed.origin,
    guard: make({ ...options, allowedNetworks: allNetworks })
  })
}
