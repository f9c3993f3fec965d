/**
 * Checks that a request comes from our own page, and reads the session cookie, which no script can
 * read. Only pages on the same site can send the cookie, and the check refuses requests from other
 * pages on that site. A request that changes something also needs the console's own header. No form
 * can send this header, and neither can a page from another origin.
 */
import type { HttpServerRequest } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest

/**
 * The header that our page sends with each request. The header's value selects the key, and can
 * contain the session's id after a space.
 */
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

/**
 * Returns the reason why a request is not from our page, or undefined if the request is from our
 * page.
 */
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
const isSecure = ({ headers }: Request): boolean =>
  headers.origin?.startsWith("https:") === true ||
  headers["x-forwarded-proto"]?.split(",", 1)[0]?.trim() === "https"

const cookieName = "verbatim_console"

const form = new RegExp(`(?:^|;\\s*)${cookieName}=([^;\\s]*)`, "g")

const nameForm = /^[0-9a-f]{64}$/

/** Returns all session names that the browser sent. */
const readAll = ({ headers }: Request): ReadonlyArray<string> =>
  Array.from((headers.cookie ?? "").matchAll(form), ([, name = ""]) => name)

/**
 * Returns a request's session name, or an empty string. If a browser sends two session names,
 * another site has set one of them, and the server cannot tell which one.
 */
export const readCookie = (request: Request): string => {
  const [name = "", ...others] = readAll(request)
  return others.length === 0 && nameForm.test(name) ? name : ""
}

/** Whether a browser sent two session names, only one of which we set. */
export const hasTwoSessions = (request: Request): boolean => readAll(request).length > 1

/**
 * The cookie's attributes contain no path. The browser then uses the request's folder, which a
 * proxy may have moved without our knowledge.
 */
const writeCookie = (request: Request, value: string, more: string): string =>
  `${cookieName}=${value}; HttpOnly; SameSite=Strict${isSecure(request) ? "; Secure" : ""}${more}`

/** Returns the header that sets the cookie until the browser is closed. */
export const setCookie = (request: Request, name: string): string => writeCookie(request, name, "")

/** Returns the header that deletes the cookie. */
export const clearCookie = (request: Request): string => writeCookie(request, "", "; Max-Age=0")
