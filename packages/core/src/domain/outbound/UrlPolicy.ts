/**
 * Decides whether a URL may be requested, based only on its text. The raw text is checked first,
 * because the URL parser repairs its input: it drops line feeds, turns backslashes into slashes,
 * and accepts decimal, octal, hexadecimal, short and full-width addresses. The parsed URL is
 * checked afterwards.
 */
import { Context, Option, Result } from "effect"
import type { NetAddress } from "effect/net"
import { addressFrom, isPublic, isWithin, type Networks } from "./Networks.ts"

// Some ports belong to other protocols, such as mail and chat, which might take a line of HTTP for
// a command. This is the list of bad ports in the Fetch standard,
// https://fetch.spec.whatwg.org/#port-blocking

/** Ports that no request is sent to, on any host. */
const badPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080
])

/**
 * Why a URL is refused. Only operators see the reason; callers get the same response for every
 * reason.
 */
export type Refusal =
  | "TooLong"
  | "ForbiddenCharacter"
  | "ForbiddenScheme"
  | "Credentials"
  | "Malformed"
  | "ForbiddenPort"
  | "ForbiddenName"
  | "ForbiddenAddress"

/** The host of an allowed URL. */
type TargetHost =
  | { readonly _tag: "Literal"; readonly address: NetAddress.IpAddress }
  | {
      readonly _tag: "Name"
      readonly name: string
      /**
       * Whether all addresses of the host must be in an allowed network. If so, public addresses
       * are refused.
       */
      readonly isLocal: boolean
    }

/** An allowed URL, ready for a connection. */
export interface Target {
  readonly url: URL
  readonly host: TargetHost
  readonly port: number
  readonly isSecure: boolean
}

/**
 * Maximum length of a URL, in UTF-16 code units. Receivers and proxies accept URLs of this length
 * (decisions, section C).
 */
export const urlLengthMax = 2048

/** Maximum length of a host name (RFC 1035), without the final dot. */
const nameLengthMax = 253

/** Matches control characters, white space, backslashes and lone surrogates. */
const forbiddenCharacter = /[\p{Cc}\s\\\p{Cs}]/u

/**
 * Matches the scheme and authority in the raw text; `http:host` and `http:///host` do not match.
 */
const shape = /^(https?):\/\/([^/?#]+)/i

/** Matches `http:` or `https:`, with or without an authority. */
const webScheme = /^https?:/i

/**
 * Names of the local machine or of hosts on a local network, which mean nothing on the internet.
 */
const localNames = ["localhost", "local", "internal", "home.arpa"]

/** Matches host names: letters, digits and hyphens, plus underscores, which occur in practice. */
const name = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/

const isLocalName = (host: string): boolean =>
  !host.includes(".") || localNames.some((local) => host === local || host.endsWith(`.${local}`))

const hostOf = (
  hostname: string,
  allowedNetworks: Networks
): Result.Result<TargetHost, Refusal> => {
  const literal = addressFrom(hostname.replace(/^\[(.*)\]$/, "$1"))
  if (Option.isSome(literal)) {
    const address = literal.value
    return isPublic(address) || isWithin(address, allowedNetworks)
      ? Result.succeed({ _tag: "Literal", address })
      : Result.fail("ForbiddenAddress")
  }
  const host = hostname.replace(/\.$/, "")
  if (host.length > nameLengthMax || !name.test(host)) return Result.fail("Malformed")
  const isLocal = isLocalName(host)
  return isLocal && allowedNetworks.length === 0
    ? Result.fail("ForbiddenName")
    : Result.succeed({ _tag: "Name", name: host, isLocal })
}

const checkRaw = (url: string): Option.Option<Refusal> => {
  if (url.length > urlLengthMax) return Option.some("TooLong")
  if (forbiddenCharacter.test(url)) return Option.some("ForbiddenCharacter")
  const authority = shape.exec(url)?.[2]
  if (authority === undefined) {
    return Option.some(webScheme.test(url) ? "Malformed" : "ForbiddenScheme")
  }
  if (authority.includes("@")) return Option.some("Credentials")
  // Host names contain no percent signs, but the parser would decode percent escapes.
  return authority.includes("%") ? Option.some("Malformed") : Option.none()
}

/** Checks only the text of a URL. The resolved addresses are checked when a connection is made. */
export const checkUrl = (question: {
  readonly url: string
  readonly allowedNetworks: Networks
}): Result.Result<Target, Refusal> => {
  const refusal = checkRaw(question.url)
  if (Option.isSome(refusal)) return Result.fail(refusal.value)
  const url = URL.parse(question.url)
  if (url === null) return Result.fail("Malformed")
  const isSecure = url.protocol === "https:"
  if (!isSecure && url.protocol !== "http:") return Result.fail("ForbiddenScheme")
  if (url.username !== "" || url.password !== "") return Result.fail("Credentials")
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port)
  if (badPorts.has(port)) return Result.fail("ForbiddenPort")
  return Result.map(hostOf(url.hostname, question.allowedNetworks), (host) => ({
    url,
    host,
    port,
    isSecure
  }))
}

// Operators can allow requests to private networks.

/** The additional networks that the operator allows for outgoing requests. */
export interface OutboundPolicy {
  /** Private networks to which requests may be sent. */
  readonly allowedNetworks: Networks
}

export const OutboundPolicy: Context.Reference<OutboundPolicy> = Context.Reference(
  "@verbatim/core/domain/outbound/OutboundPolicy",
  { defaultValue: (): OutboundPolicy => ({ allowedNetworks: [] }) }
)
