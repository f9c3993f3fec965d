/** The session cookie, which no script can read and no page from another site can send. */
import type { HttpServerRequest } from "effect/http"
import { isSecure } from "./Origin.ts"

type Request = HttpServerRequest.HttpServerRequest

const cookieName = "verbatim_console"

const form = new RegExp(`(?:^|;\\s*)${cookieName}=([^;\\s]*)`, "g")

const nameForm = /^[0-9a-f]{64}$/

/** Returns all session names that the browser sent. */
const readAll = ({ headers }: Request): ReadonlyArray<string> =>
  Array.from((headers.cookie ?? "").matchAll(form), ([, name = ""]) => name)

/**
 * Returns the session name of a request, or an empty string. If a browser sends two session names,
 * another site has set one of them, and the server cannot tell which one.
 */
export const readCookie = (request: Request): string => {
  const [name = "", ...others] = readAll(request)
  return others.length === 0 && nameForm.test(name) ? name : ""
}

/** Whether a browser sent two session names, of which we set only one. */
export const hasTwoSessions = (request: Request): boolean => readAll(request).length > 1

/**
 * The attributes of the cookie contain no path. The browser then uses the folder of the request,
 * which a proxy may have moved without our knowledge.
 */
const writeCookie = (request: Request, value: string, more: string): string =>
  `${cookieName}=${value}; HttpOnly; SameSite=Strict${isSecure(request) ? "; Secure" : ""}${more}`

/** Returns the header that sets the cookie until the browser is closed. */
export const setCookie = (request: Request, name: string): string => writeCookie(request, name, "")

/** Returns the header that deletes the cookie. */
export const clearCookie = (request: Request): string => writeCookie(request, "", "; Max-Age=0")
