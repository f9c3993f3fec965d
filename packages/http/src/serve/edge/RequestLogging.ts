/**
 * Makes requests observable. Each request gets an id in its response and log lines, a log line at
 * the end, a span that continues the client's trace, and metrics for count and duration.
 */
import {
  type MetricTable,
  makeRecorders,
  type Recorders,
  shortSeconds
} from "@verbatim/core/metrics"
import { Clock, Context, Effect, Exit, Option, References, Schema } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse, HttpTraceContext } from "effect/http"
import { mcpPath } from "../../contract/Api.ts"
import { findPattern, getRoute, noteRoute, patterns } from "./Routes.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<Response, E, R>

/**
 * Maximum number of characters for a path, a name, an error message or a stack frame in a log line.
 */
const shownMax = 200

/** Matches characters that break a line in a terminal. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/**
 * Shortens an external text and puts it on one line. A value that is not a string is converted
 * first.
 */
export const shorten = (text: string): string =>
  String(text).replace(breaks, " ").slice(0, shownMax)

/** The response header that contains the request id. Every response has it. */
export const requestIdHeader = "x-request-id"

/** Maximum length of an accepted id, twice that of any usual kind of id. */
const lengthMax = 128

/**
 * Characters that are allowed in ids: those of UUIDs, ULIDs, base64, and names with a colon, a
 * slash or a dot.
 */
const acceptable = new RegExp(`^[A-Za-z0-9._~:@/+=-]{1,${lengthMax}}$`)

/** Accepts a client's request id, or generates a new one. */
export const toRequestId = (sent: string | undefined): string =>
  sent !== undefined && acceptable.test(sent) ? sent : crypto.randomUUID()

/** Facts about a request that are added to its log line and its span. */
export interface RequestNotes {
  readonly id: string
  keyId?: string
  /** The job that the request created or refers to. */
  jobId?: string
  /** The preset and the number of the version that resolved the request. */
  preset?: { readonly slug: string; readonly version: number }
}

/** The notes on the current request. Outside of requests, it is undefined. */
export const RequestNotes: Context.Reference<RequestNotes | undefined> = Context.Reference(
  "@verbatim/http/RequestNotes",
  { defaultValue: (): RequestNotes | undefined => undefined }
)

type Found = Partial<Omit<RequestNotes, "id">>

/** Adds notes to the request of a running fiber. */
export const noteUnsafe = (context: Context.Context<never>, found: Found): void => {
  const notes = Context.get(context, RequestNotes)
  if (notes !== undefined) Object.assign(notes, found)
}

/** Adds notes to the current request. */
export const note = (found: Found): Effect.Effect<void> =>
  Effect.withFiber(({ context }) => {
    noteUnsafe(context, found)
    return Effect.void
  })

/** A request as it is logged. The query is omitted, because it can contain anything. */
interface LoggedRequest {
  readonly request: Request
  readonly path: string
  readonly notes: RequestNotes
}

const toLoggedRequest = (request: Request): LoggedRequest => {
  const [path = ""] = request.url.split("?", 1)
  const id = toRequestId(request.headers[requestIdHeader])
  return { request, path, notes: { id } }
}

/**
 * Whether a request is an automated probe, such as a health check. Operators do not look for these
 * in the log.
 */
const isProbe = ({ path }: LoggedRequest): boolean => /^\/(?:health|metrics)\b/.test(path)

/** Marks a span as failed if the response reports a server failure. */
class ServerFault extends Schema.TaggedError<ServerFault>()("ServerFault", {
  response: Schema.Any
}) {}

const statusAttributes = ({ status }: Response) => ({
  "http.response.status_code": status,
  ...(status < 500 ? {} : { "error.type": String(status) })
})

const noteAttributes = ({ jobId, keyId, preset }: RequestNotes) => ({
  ...(jobId === undefined ? {} : { "verbatim.job.id": shorten(jobId) }),
  ...(keyId === undefined ? {} : { "verbatim.key.id": keyId }),
  ...(preset === undefined
    ? {}
    : { "gen_ai.prompt.name": preset.slug, "verbatim.preset.version": preset.version })
})

/** Handles a request in its own span. */
const trace = <E, R>(handled: Handled<E, R>, { notes, path, request }: LoggedRequest) => {
  const { headers, method } = request
  // The span gets this name until the router has matched a route.
  const route = findPattern(method, path)
  const judged = Effect.flatMap(handled, (response) =>
    Effect.andThen(
      Effect.annotateCurrentSpan({ ...statusAttributes(response), ...noteAttributes(notes) }),
      response.status < 500 ? Effect.succeed(response) : Effect.fail(new ServerFault({ response }))
    )
  )
  const parent = HttpTraceContext.w3c(headers)
  const spanned = Effect.withSpan(judged, route === undefined ? method : `${method} ${route}`, {
    kind: "server",
    captureStackTrace: false,
    attributes: {
      "http.request.method": method,
      "url.path": path,
      "verbatim.request.id": notes.id,
      ...(route === undefined ? {} : { "http.route": route })
    },
    ...Option.match(parent, {
      onNone: () => ({ root: true }),
      onSome: (found) => ({ parent: found })
    })
  }) as Handled<E | ServerFault, R>
  return Effect.catch(spanned, (error) =>
    error instanceof ServerFault ? Effect.succeed(error.response as Response) : Effect.fail(error)
  ) as Handled<E, R>
}

interface Done {
  readonly status: number
  readonly nanos: number
}

const logRequest = (logged: LoggedRequest, { nanos, status }: Done): Effect.Effect<void> => {
  const { notes, path, request } = logged
  const { jobId, keyId } = notes
  const millis = Math.floor(nanos / nanosPerMicro) / 1_000
  const shown = shorten(path)
  const line = `${request.method} ${shown} ${status} in ${millis} ms`
  const log = isProbe(logged) ? Effect.logDebug(line) : Effect.logInfo(line)
  return Effect.annotateLogs(log, {
    request: notes.id,
    method: request.method,
    route: getRoute(request) ?? null,
    status,
    millis,
    ...(keyId === undefined ? {} : { key: keyId }),
    ...(jobId === undefined ? {} : { job: shorten(jobId) })
  })
}

const addRequestId = (response: Response, { notes }: LoggedRequest): Response =>
  HttpServerResponse.setHeader(response, requestIdHeader, notes.id)

export const metricsPath = "/metrics"

/** The route label of requests without a route. */
const noRoute = "none"

/** The route label of preflights, on any path. */
export const preflight = "preflight"

/** The route label of requests for a host's own routes. */
const foreign = "other"

const routes = [...patterns, mcpPath, metricsPath, preflight, noRoute, foreign].sort()

const methods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "other"]

/** The status to log if the client disconnected before the response, as nginx does. */
const clientGone = 499

/** Statuses that our own responses and those of hosts can have. */
const statuses = [
  200, 201, 202, 204, 206, 301, 302, 304, 307, 308, 400, 401, 403, 404, 405, 406, 408, 409, 410,
  412, 413, 415, 422, 428, 429, 431, 499, 500, 501, 502, 503, 504
].map(String)

/**
 * All metrics of the API, from which `docs/metrics.md` is generated. A route is a pattern from the
 * description, never a raw path.
 */
export const httpTable = {
  requests: {
    name: "verbatim_http_requests_total",
    help: "Answered requests; status 499 if the client disconnected first.",
    labels: { method: methods, route: routes, status: [...statuses, "other"] }
  },
  requestDuration: {
    name: "verbatim_http_request_duration_seconds",
    help:
      "Time from the head of a request to the head of its answer, including the upload of a " +
      "body.",
    labels: { method: methods, route: routes },
    buckets: shortSeconds
  }
} as const satisfies MetricTable

export const httpMetrics: Recorders<typeof httpTable> = makeRecorders(httpTable)

const nanosPerSecond = 1e9

const nanosPerMicro = 1e3

const count = (context: Context.Context<never>, { request }: LoggedRequest, done: Done): void => {
  const { method } = request
  const route = getRoute(request) ?? noRoute
  httpMetrics.requests.recordUnsafe(context, { method, route, status: String(done.status) })
  httpMetrics.requestDuration.recordUnsafe(context, { method, route }, done.nanos / nanosPerSecond)
}

/** Observes each request, including the guard around it. */
export const observeRequests =
  <E, R, E2, R2>(guard: (handled: Handled<E, R>) => Handled<E2, R2>) =>
  (handled: Handled<E, R>): Handled<E2, R2> => {
    // The guard is applied once, when the layer is built, and not for each request.
    const guarded = guard(noteRoute(handled))
    return Effect.withFiber((fiber) => {
      const { context } = fiber
      const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
      const logged = toLoggedRequest(request)
      const clock = fiber.getRef(Clock.Clock)
      const startedAt = clock.monotonicTimeNanosUnsafe()
      const isTraced = fiber.getRef(References.TracerEnabled) && !isProbe(logged)
      const answered = Effect.onExit(
        Effect.map(isTraced ? trace(guarded, logged) : guarded, (response) =>
          addRequestId(response, logged)
        ),
        (exit) => {
          if (Exit.isFailure(exit)) {
            // Handles responses that the platform itself sends while the process is stopping.
            HttpEffect.appendPreResponseHandlerUnsafe(context, (_, response) =>
              Effect.succeed(addRequestId(response, logged))
            )
          }
          const nanos = Number(clock.monotonicTimeNanosUnsafe() - startedAt)
          const status = Exit.isSuccess(exit) ? exit.value.status : clientGone
          count(context, logged, { status, nanos })
          return logRequest(logged, { status, nanos })
        }
      )
      const annotations = {
        ...fiber.getRef(References.CurrentLogAnnotations),
        request: logged.notes.id
      }
      return Effect.updateContext(answered, (before: Context.Context<R2>) =>
        Context.add(
          Context.add(before, RequestNotes, logged.notes),
          References.CurrentLogAnnotations,
          annotations
        )
      )
    })
  }
