/**
 * Which pages of other origins may call the API from a browser (CORS, in the Fetch standard). They
 * call with a key: no answer allows them to send cookies, which we have none of, and a host may.
 */
import { Context, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { metricsPath, preflight } from "../metrics/HttpTable.ts"
import { findMethods, segmentsOf, setRoute } from "./Routes.ts"

/** Every origin, or these; with an empty set nothing is said of origins at all. */
export type Origins = "*" | ReadonlySet<string>

/** The origins whose pages may read answers. */
export const CrossOrigins: Context.Reference<Origins> = Context.Reference(
  "@verbatim/http/CrossOrigins",
  { defaultValue: (): Origins => new Set<string>() }
)

/** What a page may read of an answer, beside its status and its body. */
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
 * What packages that were written for OpenAI say of themselves and of their organizations, in a
 * page as well: a browser sends nothing of a request of which one header is not allowed.
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

/** What a page may send. A star would leave out the key: the standard says so. */
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

/** How long a browser keeps what a preflight said: two hours, the most that Chromium keeps. */
const preflightSeconds = 7_200

type Named = Readonly<Record<string, string>>

const exposed = { "access-control-expose-headers": exposedHeaders.join(", ") }

/** The headers of an answer to a request of that origin; none for a server without origins. */
export const originHeaders = (origins: Origins, origin: string | undefined): Named => {
  if (origins === "*") return { "access-control-allow-origin": "*", ...exposed }
  if (origins.size === 0) return {}
  // A cache must not give one origin what another one was allowed.
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

const pathOf = ({ url }: Request): string => url.split("?", 1)[0] ?? ""

/** What tells of all that a process does is for no page, also where everybody may read it. */
const isForPages = (request: Request): boolean =>
  segmentsOf(pathOf(request)).join("/") !== metricsPath

/**
 * Answers the question that a browser asks before a request. For a path without operations no
 * methods are listed: a browser then still sends `GET`, and its page can read the 404.
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
      "access-control-allow-methods": [...findMethods(pathOf(request))].join(", "),
      "access-control-allow-headers": acceptedHeaders.join(", "),
      "access-control-max-age": String(preflightSeconds)
    }
  })
}

/** Tells browsers who may read answers, refusals and failures too. */
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
