/**
 * Whether a request comes from our own page. The cookie is sent by pages of the same site alone;
 * this keeps out those of it that are not ours, and what changes something takes a header of ours
 * too, which no form can send, and no page of another origin without our leave.
 */
import type { HttpServerRequest } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

/** What our page sends with each of its requests: which of its keys is meant. */
export const pageHeader = "x-verbatim-console"

const hostOf = (origin: string): string => {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  return url?.host ?? ""
}

/** Browsers tell this on `https` and on this machine. `none` is an address that somebody typed. */
const isSameSite = (fetchSite: string): boolean =>
  fetchSite === "same-origin" || fetchSite === "none"

/** Where a browser does not tell, the origin must be the host that was asked for. */
const isOwnOrigin = ({ headers }: Request): boolean => {
  const { host, origin } = headers
  if (origin === undefined) return true
  const forwarded = headers["x-forwarded-host"]?.split(",", 1)[0]?.trim()
  return [host, forwarded].includes(hostOf(origin))
}

/** Why a request is not one of our page; nothing where it is. */
export const findForeign = (request: Request): string | undefined => {
  const { headers, method } = request
  const fetchSite = headers["sec-fetch-site"]
  const isOurs = fetchSite === undefined ? isOwnOrigin(request) : isSameSite(fetchSite)
  if (!isOurs) return "The request comes from another page"
  const isSafe = method === "GET" || method === "HEAD"
  return isSafe || headers[pageHeader] !== undefined
    ? undefined
    : `The request lacks the header ${pageHeader}`
}

/** Whether the browser came over `https`, whatever the way from a proxy to us is. */
export const isSecure = ({ headers }: Request): boolean =>
  headers.origin?.startsWith("https:") === true ||
  headers["x-forwarded-proto"]?.split(",", 1)[0]?.trim() === "https"
