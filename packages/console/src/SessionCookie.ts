/** The cookie of a session: no script reads it, and no page of another site has it sent. */
import type { HttpServerRequest } from "effect/http"
import { isSecure } from "./Origin.ts"

type Request = HttpServerRequest.HttpServerRequest

const cookieName = "verbatim_console"

const form = new RegExp(`(?:^|;\\s*)${cookieName}=([^;\\s]*)`, "g")

const nameForm = /^[0-9a-f]{64}$/

/** What a browser sends for sessions. */
const readAll = ({ headers }: Request): ReadonlyArray<string> =>
  Array.from((headers.cookie ?? "").matchAll(form), ([, name = ""]) => name)

/**
 * The name of the session that a request is part of; empty where it is of none. A browser that has
 * two of them was given one by somebody else, and nobody knows which.
 */
export const readCookie = (request: Request): string => {
  const [name = "", ...others] = readAll(request)
  return others.length === 0 && nameForm.test(name) ? name : ""
}

/** Whether a browser has two sessions, of which we gave it one. */
export const hasTwo = (request: Request): boolean => readAll(request).length > 1

/**
 * Without a path: a browser takes the folder that it asked in, which a proxy may have moved and we
 * do not know.
 */
const writeCookie = (request: Request, value: string, more: string): string =>
  `${cookieName}=${value}; HttpOnly; SameSite=Strict${isSecure(request) ? "; Secure" : ""}${more}`

/** What gives a session to the browser that asked for one, until it is closed. */
export const giveCookie = (request: Request, name: string): string => writeCookie(request, name, "")

/** What takes it away. */
export const takeCookie = (request: Request): string => writeCookie(request, "", "; Max-Age=0")
