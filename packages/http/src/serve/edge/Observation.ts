/**
 * What operators see of a request: its id in the answer and in every line that is logged meanwhile,
 * a line of its own, and a span, which goes on with the trace of whoever sent it.
 */
import { Clock, Context, Effect, Exit, Option, References, Schema } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse, HttpTraceContext } from "effect/http"
import { clientGone } from "../metrics/HttpTable.ts"
import { routeOf } from "./ChosenRoute.ts"
import { requestIdHeader, toRequestId } from "./RequestId.ts"
import { RequestNotes } from "./RequestNotes.ts"
import { findPattern } from "./Routes.ts"
import { shorten } from "./ToldCause.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Handled<E, R> = Effect.Effect<Response, E, R>

/** A request as it is told: without its query, which may hold anything. */
interface Told {
  readonly request: Request
  readonly path: string
  readonly notes: RequestNotes
}

const toTold = (request: Request): Told => {
  const [path = ""] = request.url.split("?", 1)
  const id = toRequestId(request.headers[requestIdHeader])
  return { request, path, notes: { id } }
}

/** Asked again and again by machines: not what an operator looks for. */
const isProbe = ({ path }: Told): boolean => /^\/(?:health|metrics)\b/.test(path)

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
const trace = <E, R>(handled: Handled<E, R>, { notes, path, request }: Told) => {
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

const nanosPerMicro = 1_000n

/** A line for a request that is over. */
const tell = (told: Told, status: number, micros: number): Effect.Effect<void> => {
  const { notes, path, request } = told
  const { jobId, keyId } = notes
  const millis = micros / 1_000
  const shown = shorten(path)
  const line = `${request.method} ${shown} ${status} in ${millis} ms`
  const log = isProbe(told) ? Effect.logDebug(line) : Effect.logInfo(line)
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

const name = (response: Response, { notes }: Told): Response =>
  HttpServerResponse.setHeader(response, requestIdHeader, notes.id)

/** Observes the handling of a request. */
export const observe = <E, R>(handled: Handled<E, R>): Handled<E, R> =>
  Effect.withFiber((fiber) => {
    const { context } = fiber
    const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
    const told = toTold(request)
    const clock = fiber.getRef(Clock.Clock)
    const startedAt = clock.monotonicTimeNanosUnsafe()
    const isTraced = fiber.getRef(References.TracerEnabled) && !isProbe(told)
    const observed = Effect.onExit(
      Effect.map(isTraced ? trace(handled, told) : handled, (response) => name(response, told)),
      (exit) => {
        if (Exit.isFailure(exit)) {
          // The platform answers instead of us: the process stops.
          HttpEffect.appendPreResponseHandlerUnsafe(context, (_, response) =>
            Effect.succeed(name(response, told))
          )
        }
        const micros = Number((clock.monotonicTimeNanosUnsafe() - startedAt) / nanosPerMicro)
        return tell(told, Exit.isSuccess(exit) ? exit.value.status : clientGone, micros)
      }
    )
    const annotations = {
      ...fiber.getRef(References.CurrentLogAnnotations),
      request: told.notes.id
    }
    return Effect.updateContext(observed, (before: Context.Context<R>) =>
      Context.add(
        Context.add(before, RequestNotes, told.notes),
        References.CurrentLogAnnotations,
        annotations
      )
    )
  })
