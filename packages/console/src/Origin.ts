/**
 * Checks that a request comes from our own page. Only pages on the same site can send the cookie,
 * and this check refuses requests from other pages on that site. A request that changes something
 * also needs the console's own header. No form can send this header, nor can a page from another
 * origin unless we allow it.
 */
import type { HttpServerRequest } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

/** The header that our page sends with each request. The value of the header selects the key. */
export const pageHeader = "x-verbatim-console"

const hostOf = (origin: string): string => {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  return url?.host ?? ""
}

/**
 * Browsers send `Sec-Fetch-Site` on `https` and on localhost. `none` means that the user typed the
 * address.
 */
const isSameSite = (fetchSite: string): boolean =>
  fetchSite === "same-origin" || fetchSite === "none"

/** If the browser does not send `Sec-Fetch-Site`, the origin must equal the requested host. */
const isOwnOrigin = ({ headers }: Request): boolean => {
  const { host, origin } = headers
  if (origin === undefined) return true
  const forwarded = headers["x-forwarded-host"]?.split(",", 1)[0]?.trim()
  return [host, forwarded].includes(hostOf(origin))
}

/** Returns the reason why a request is not from our page; undefined if it is from our page. */
export const checkOrigin = (request: Request): string | undefined => {
  const { headers, method } = request
  const fetchSite = headers["sec-fetch-site"]
  const isOurs = fetchSite === undefined ? isOwnOrigin(request) : isSameSite(fetchSite)
  if (!isOurs) return "The request comes from another page"
  const isSafe = method === "GET" || method === "HEAD"
  return isSafe || headers[pageHeader] !== undefined
    ? undefined
    : `The request lacks the header ${pageHeader}`
}

/** Whether the browser used `https`, even if a proxy connects to us over `http`. */
export const isSecure = ({ headers }: Request): boolean =>
  headers.origin?.startsWith("https:") === true ||
  headers["x-forwarded-proto"]?.split(",", 1)[0]?.trim() === "https"
