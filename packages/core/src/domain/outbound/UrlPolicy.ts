/**
 * Which URLs may be requested, as far as their text tells. The raw text is judged first, because
 * the URL parser repairs what it reads: it drops line feeds, turns backslashes, and takes decimal,
 * octal, hexadecimal, short and full-width addresses. Then its result is judged. Pure.
 */
import { Option, Result } from "effect"
import type { NetAddress } from "effect/net"
import { badPorts } from "./BadPorts.ts"
import { addressFrom, isPublic, isWithin, type Networks } from "./Networks.ts"

/** Why a URL is refused. For operators: callers get one answer for all of them. */
export type Refusal =
  | "TooLong"
  | "ForbiddenCharacter"
  | "ForbiddenScheme"
  | "Credentials"
  | "Malformed"
  | "ForbiddenPort"
  | "ForbiddenName"
  | "ForbiddenAddress"

/** The host of a URL that passed. */
type TargetHost =
  | { readonly _tag: "Literal"; readonly address: NetAddress.IpAddress }
  | {
      readonly _tag: "Name"
      readonly name: string
      /** All its addresses must be in allowed networks; being public is not enough. */
      readonly isLocal: boolean
    }

/** A URL that passed, ready to be connected to. */
export interface Target {
  readonly url: URL
  readonly host: TargetHost
  readonly port: number
  readonly isSecure: boolean
}

/** Section C of the decisions; what receivers and proxies take. Counted in UTF-16 code units. */
export const urlLengthMax = 2048

/** RFC 1035, without the dot at the end. */
const nameLengthMax = 253

/** Controls, every kind of white space, backslashes, and halves of surrogate pairs. */
const forbiddenCharacter = /[\p{Cc}\s\\\p{Cs}]/u

/** Scheme and authority of the raw text; `http:host` and `http:///host` have none. */
const shape = /^(https?):\/\/([^/?#]+)/i

/** What follows the scheme in text that names another scheme, or none. */
const webScheme = /^https?:/i

/** Names of the machine or the site: they mean nothing on the internet, and something here. */
const localNames = ["localhost", "local", "internal", "home.arpa"]

/** Letters, digits, hyphens and, as found in the wild, underscores. */
const name = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/

const isLocalName = (host: string): boolean =>
  !host.includes(".") || localNames.some((local) => host === local || host.endsWith(`.${local}`))

const hostOf = (hostname: string, allowNetworks: Networks): Result.Result<TargetHost, Refusal> => {
  const literal = addressFrom(hostname.replace(/^\[(.*)\]$/, "$1"))
  if (Option.isSome(literal)) {
    const address = literal.value
    return isPublic(address) || isWithin(address, allowNetworks)
      ? Result.succeed({ _tag: "Literal", address })
      : Result.fail("ForbiddenAddress")
  }
  const host = hostname.replace(/\.$/, "")
  if (host.length > nameLengthMax || !name.test(host)) return Result.fail("Malformed")
  const isLocal = isLocalName(host)
  return isLocal && allowNetworks.length === 0
    ? Result.fail("ForbiddenName")
    : Result.succeed({ _tag: "Name", name: host, isLocal })
}

const judgeRaw = (url: string): Option.Option<Refusal> => {
  if (url.length > urlLengthMax) return Option.some("TooLong")
  if (forbiddenCharacter.test(url)) return Option.some("ForbiddenCharacter")
  const authority = shape.exec(url)?.[2]
  if (authority === undefined) {
    return Option.some(webScheme.test(url) ? "Malformed" : "ForbiddenScheme")
  }
  if (authority.includes("@")) return Option.some("Credentials")
  // Percent signs belong to no host name; the parser would decode them into one.
  return authority.includes("%") ? Option.some("Malformed") : Option.none()
}

/**
 * Judges a URL by its text alone. The addresses behind a name, which only the resolver knows, are
 * judged when the connection is made.
 */
export const judgeUrl = (question: {
  readonly url: string
  readonly allowNetworks: Networks
}): Result.Result<Target, Refusal> => {
  const refusal = judgeRaw(question.url)
  if (Option.isSome(refusal)) return Result.fail(refusal.value)
  const url = URL.parse(question.url)
  if (url === null) return Result.fail("Malformed")
  const isSecure = url.protocol === "https:"
  if (!isSecure && url.protocol !== "http:") return Result.fail("ForbiddenScheme")
  if (url.username !== "" || url.password !== "") return Result.fail("Credentials")
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port)
  if (badPorts.has(port)) return Result.fail("ForbiddenPort")
  return Result.map(hostOf(url.hostname, question.allowNetworks), (host) => ({
    url,
    host,
    port,
    isSecure
  }))
}
