/** Follows redirects for a GET request, at most five, each checked like a caller's URL. */
import { Effect, type Scope } from "effect"
import type { Guard } from "./Guard.ts"
import { type Answer, type Exchange, exchange } from "./GuardedClient.ts"
import { type OutboundError, unreachable } from "./OutboundError.ts"
import { isCompressed, isEmpty } from "./RemoteHeaders.ts"

/** The only headers sent when requesting a file. Files are requested and stored uncompressed. */
export const fileHeaders = {
  accept: "*/*",
  "accept-encoding": "identity",
  "user-agent": "verbatim"
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/**
 * Hides unresolved names: only the caller's own host name is reported as unresolved, never a name
 * from a redirect.
 */
const hideUnresolved = (error: OutboundError): OutboundError =>
  error.reason._tag === "Unresolved" ? unreachable(error.reason.host, error.reason.code) : error

/** Returns the redirect's URL as raw text, because parsing may silently repair an invalid URL. */
const locationOf = (answer: Answer): string | undefined => {
  const location = answer.headers.location
  if (typeof location !== "string") return undefined
  if (/^[a-z][a-z0-9+.-]*:/i.test(location)) return location
  if (location.includes("\\")) return undefined
  return URL.parse(location, answer.url.href)?.href
}

/** The final response, with the URLs of all earlier redirects. */
export interface FinalAnswer extends Answer {
  readonly hops: ReadonlyArray<string>
}

/**
 * Whether a response contains the file. 206 is valid only if a range was requested, and a response
 * without content has no file.
 */
const hasFile = ({ status }: Answer, headers: Exchange["headers"]): boolean =>
  status >= 200 &&
  status <= 299 &&
  status !== 204 &&
  status !== 205 &&
  (status !== 206 || headers.range !== undefined)

/** Returns an error if a response is not the file, otherwise undefined. */
const findProblem = (answer: Answer, headers: Exchange["headers"]): string | undefined => {
  if (!hasFile(answer, headers)) return `Status ${answer.status}`
  if (isCompressed(answer)) return "Compressed"
  return isEmpty(answer) ? "Empty" : undefined
}

/** Requests the URL and follows redirects to the file. */
export const followRedirects = Effect.fnUntraced(function* (
  { headers, url }: Pick<Exchange, "headers" | "url">,
  guard: Guard
): Effect.fn.Return<FinalAnswer, OutboundError, Scope.Scope> {
  const hops: Array<string> = []
  let answer = yield* exchange({ url, method: "GET", headers }, guard)
  for (let hop = 1; redirects.has(answer.status); hop++) {
    yield* answer.discard
    const host = answer.url.hostname
    if (hop > guard.limits.maxRedirects) return yield* unreachable(host, "TooManyRedirects")
    const location = locationOf(answer)
    if (location === undefined) return yield* unreachable(host, "InvalidRedirect")
    answer = yield* Effect.mapError(
      exchange({ url: location, method: "GET", headers }, guard),
      hideUnresolved
    )
    hops.push(answer.url.href)
  }
  const fault = findProblem(answer, headers)
  if (fault === undefined) return { ...answer, hops }
  yield* answer.discard
  return yield* unreachable(answer.url.hostname, fault)
})
