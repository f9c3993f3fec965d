/**
 * What operators see of a request: its id in the answer and in every line that is logged for it,
 * one log line of its own, a span that continues the trace of the client, and its count and
 * duration in the metrics.
 */
import { makeRecorders, type Recorders } from "@verbatim/core/metrics"
import { Clock, Context, Effect, Exit, Option, References, Schema } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse, HttpTraceContext } from "effect/http"
import { clientGone, httpTable, noRoute } from "../metrics/HttpTable.ts"
import { findPattern, noteRoute, routeOf } from "./Routes.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<Response, E, R>

/** Characters of a path, of a name, of what an error says, and of a frame, in a line. */
const shownMax = 200

/** Whatever breaks a line in a terminal. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu

/** A text from outside as part of one line, whatever a broken service gives for a text. */
export const shorten = (text: string): string =>
  String(text).replace(breaks, " ").slice(0, shownMax)

/** The header that brings it, and that every answer has. */
export const requestIdHeader = "x-request-id"

/** Longest id that is taken: twice what any kind of id needs. */
const lengthMax = 128

/** What ids are made of: UUIDs, ULIDs, base64, names with a colon, a slash or a dot. */
const acceptable = new RegExp(`^[A-Za-z0-9._~:@/+=-]{1,${lengthMax}}$`)

/** The id that a request came with, where it can be taken; else a new one. */
export const toRequestId = (sent: string | undefined): string =>
  sent !== undefined && acceptable.test(sent) ? sent : crypto.randomUUID()

/** What the log and the trace say of a request. */
export interface RequestNotes {
  readonly id: string
  /** The key that it was sent with, by its id. */
  keyId?: string
  /** The job that it made, or is about. */
  jobId?: string
}

/** The notes of the request that is handled; none where nobody asks for them. */
export const RequestNotes: Context.Reference<RequestNotes | undefined> = Context.Reference(
  "@verbatim/http/RequestNotes",
  { defaultValue: (): RequestNotes | undefined => undefined }
)

type Found = Partial<Omit<RequestNotes, "id">>

/** Notes something of the request of a fiber that runs. */
export const noteUnsafe = (context: Context.Context<never>, found: Found): void => {
  const notes = Context.get(context, RequestNotes)
  if (notes !== undefined) Object.assign(notes, found)
}

/** Notes something of the request that is handled. */
export const note = (found: Found): Effect.Effect<void> =>
  Effect.withFiber(({ context }) => {
    noteUnsafe(context, found)
    return Effect.void
  })

/** A request as it is logged: without its query, which may hold anything. */
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

/** Asked again and again by machines: not what an operator looks for. */
const isProbe = ({ path }: LoggedRequest): boolean => /^\/(?:health|metrics)\b/.test(path)

/** A span fails with an answer that tells of a failure of the server. */
class ServerFault extends Schema.TaggedError<ServerFault>()("ServerFault", {
  response: Schema.Any
}) {}

const statusAttributes = ({ status }: Response) => ({
  "http.response.status_code": status,
  ...(status < 500 ? {} : { "error.type": String(status) })
})

const noteAttributes = ({ jobId, keyId }: RequestNotes) => ({
  ...(jobId === undefined ? {} : { "verbatim.job.id": shorten(jobId) }),
  ...(keyId === undefined ? {} : { "verbatim.key.id": keyId })
})

/** Handles a request in a span of its own. */
const trace = <E, R>(handled: Handled<E, R>, { notes, path, request }: LoggedRequest) => {
  const { headers, method } = request
  // A span has its name before the router has chosen.
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

/** How a request ended, and how long it took. */
interface Done {
  readonly status: number
  readonly nanos: number
}

/** A line for a request that is over. */
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
    route: routeOf(request) ?? null,
    status,
    millis,
    ...(keyId === undefined ? {} : { key: keyId }),
    ...(jobId === undefined ? {} : { job: shorten(jobId) })
  })
}

const addRequestId = (response: Response, { notes }: LoggedRequest): Response =>
  HttpServerResponse.setHeader(response, requestIdHeader, notes.id)

/** The metrics of the API, ready to be counted. */
export const httpMetrics: Recorders<typeof httpTable> = makeRecorders(httpTable)

const nanosPerSecond = 1e9

const nanosPerMicro = 1e3

/** Counts a request that is over. */
const count = (context: Context.Context<never>, { request }: LoggedRequest, done: Done): void => {
  const { method } = request
  const route = routeOf(request) ?? noRoute
  httpMetrics.requests.recordUnsafe(context, { method, route, status: String(done.status) })
  httpMetrics.requestDuration.recordUnsafe(context, { method, route }, done.nanos / nanosPerSecond)
}

/** Observes whole requests, around everything that guards them. */
export const observeRequests =
  <E, R, E2, R2>(guard: (handled: Handled<E, R>) => Handled<E2, R2>) =>
  (handled: Handled<E, R>): Handled<E2, R2> => {
    // Once for all requests: none of it is made again.
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
            // The platform answers instead of us: the process stops.
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
