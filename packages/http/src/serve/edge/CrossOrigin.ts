/**
 * Lets pages from other origins call the API from a browser (CORS, in the Fetch standard). Such
 * pages send a key, so no response allows cookies, even if the host itself uses them.
 */
import { Context, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { metricsPath, preflight } from "./RequestLogging.ts"
import { findMethods, setRoute, splitPath } from "./Routes.ts"

/**
 * Either `*` for every origin, or a set of origins. If the set is empty, no CORS headers are sent.
 */
export type Origins = "*" | ReadonlySet<string>

/** The origins whose pages can read responses. */
export const CrossOrigins: Context.Reference<Origins> = Context.Reference(
  "@verbatim/http/CrossOrigins",
  { defaultValue: (): Origins => new Set<string>() }
)

/** Headers that a page can read, in addition to the status and the body. */
export const exposedHeaders = [
  "Accept-Ranges",
  "Allow",
  "Content-Disposition",
  "Content-Range",
  "ETag",
  "Preference-Applied",
  "Retry-After",
  "WWW-Authenticate",
  "X-Request-Id",
  "X-Should-Retry",
  "X-Verbatim-Job-Id",
  "X-Verbatim-Not-Kept"
] as const

/**
 * Headers that OpenAI's packages send about themselves and their organization, even from a page. If
 * any of these headers is not allowed, the browser does not send the request.
 */
const packageHeaders = [
  "OpenAI-Organization",
  "OpenAI-Project",
  "User-Agent",
  "X-Stainless-Arch",
  "X-Stainless-Helper-Method",
  "X-Stainless-Lang",
  "X-Stainless-OS",
  "X-Stainless-Package-Version",
  "X-Stainless-Retry-Count",
  "X-Stainless-Runtime",
  "X-Stainless-Runtime-Version",
  "X-Stainless-Timeout"
] as const

/** Headers that a page can send. In the standard, `*` does not include `Authorization`. */
export const acceptedHeaders = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-None-Match",
  "If-Range",
  "Last-Event-ID",
  "Prefer",
  "Range",
  "Traceparent",
  "Tracestate",
  "X-Request-Id",
  "X-Session-Id",
  ...packageHeaders
] as const

/** How long a browser caches a preflight: two hours, Chromium's maximum. */
const preflightSeconds = 7_200

type Named = Readonly<Record<string, string>>

const exposed = { "access-control-expose-headers": exposedHeaders.join(", ") }

/** Builds the CORS headers of a response to this origin. There are none if no origin is allowed. */
export const originHeaders = (origins: Origins, origin: string | undefined): Named => {
  if (origins === "*") return { "access-control-allow-origin": "*", ...exposed }
  if (origins.size === 0) return {}
  // A cache must not send one origin's response to another origin.
  if (origin === undefined || !origins.has(origin)) return { vary: "Origin" }
  return { "access-control-allow-origin": origin, vary: "Origin", ...exposed }
}

type Request = HttpServerRequest.HttpServerRequest
type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const addHeaders = (response: HttpServerResponse.HttpServerResponse, headers: Named) => {
  const { vary } = response.headers
  const both = vary !== undefined && headers.vary !== undefined
  const merged = both ? { ...headers, vary: `${vary}, ${headers.vary}` } : headers
  return HttpServerResponse.setHeaders(response, merged)
}

const isPreflight = ({ headers, method }: Request): boolean =>
  method === "OPTIONS" &&
  headers.origin !== undefined &&
  headers["access-control-request-method"] !== undefined

const readPath = ({ url }: Request): string => url.split("?", 1)[0] ?? ""

/** Excludes the metrics: no page can read them, even if they are public. */
const isForPages = (request: Request): boolean =>
  splitPath(readPath(request)).join("/") !== metricsPath

/**
 * Answers a preflight. For a path without operations, the answer lists no methods: browsers still
 * send `GET` then, so the page can read the 404.
 */
const answerPreflight = (request: Request, origins: Origins) => {
  const { headers } = request
  setRoute(request, preflight)
  const allowed = originHeaders(origins, headers.origin)
  if (allowed["access-control-allow-origin"] === undefined) {
    return HttpServerResponse.empty({ headers: allowed })
  }
  return HttpServerResponse.empty({
    headers: {
      ...allowed,
      "access-control-allow-methods": [...findMethods(readPath(request))].join(", "),
      "access-control-allow-headers": acceptedHeaders.join(", "),
      "access-control-max-age": String(preflightSeconds)
    }
  })
}

/** Adds CORS headers to all responses, including refusals and failures. */
export const makeCrossOrigin =
  (origins: Origins) =>
  <E, R>(handled: Handled<E, R>): Handled<E, R | HttpServerRequest.HttpServerRequest> => {
    if (origins !== "*" && origins.size === 0) return handled
    return Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      if (!isForPages(request)) return handled
      return isPreflight(request)
        ? Effect.sync(() => answerPreflight(request, origins))
        : Effect.map(handled, (response) =>
            addHeaders(response, originHeaders(origins, request.headers.origin))
          )
    })
  }
