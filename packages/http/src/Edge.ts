/**
 * What holds for every request, around all routes: one host, a path that the router can read, an
 * answer in one of our forms whatever happens, and no connection that breaks before it is read.
 */
import { Cause, Effect, Option } from "effect"
import { HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { edgeResponse, unexpectedMessage } from "./ErrorBody.ts"
import { afterAnswer } from "./UnreadBody.ts"
import { unrouted } from "./Unrouted.ts"

type Request = HttpServerRequest.HttpServerRequest
type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** The headers as they came, names and values in turn, where the platform shows them, as Node. */
const rawHeaders = ({ source }: Request): ReadonlyArray<unknown> => {
  const raw: unknown = Reflect.get(source, "rawHeaders")
  return Array.isArray(raw) ? raw : []
}

/** Two hosts are one too many: a proxy before us may have believed the other one. */
const hasOneHost = (request: Request): boolean => {
  const hosts = rawHeaders(request).filter(
    (name, index) => index % 2 === 0 && String(name).toLowerCase() === "host"
  )
  return hosts.length <= 1 && !(request.headers.host ?? "").includes(",")
}

const isDecodable = (path: string): boolean =>
  Option.isSome(Option.liftThrowable(decodeURIComponent)(path))

/**
 * The router cuts a path at a semicolon, and finds nothing where an escape is broken. Read
 * literally, such a path reaches its operation, which refuses the parameter in its own words.
 */
const readable = (url: string): string => {
  const end = url.indexOf("?")
  const path = end === -1 ? url : url.slice(0, end)
  if (!/[;#%]/.test(path)) return url
  const whole = path.replaceAll(";", "%3B").replaceAll("#", "%23")
  return (isDecodable(whole) ? whole : whole.replaceAll("%", "%25")) + url.slice(path.length)
}

const isUnrouted = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"
}

/** Logs what went wrong, without a query or a body; the caller is told nothing. */
const unexpected = (request: Request, cause: Cause.Cause<unknown>) => {
  const [path = ""] = request.url.split("?", 1)
  return Effect.logError("A request failed", cause).pipe(
    Effect.annotateLogs({ method: request.method, path }),
    Effect.as(edgeResponse(path, { status: 500, message: unexpectedMessage }))
  )
}

const recovered = <E, R>(handled: Handled<E, R>, request: Request) =>
  Effect.catchCause(handled, (cause) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
    return isUnrouted(cause) ? Effect.succeed(unrouted(request)) : unexpected(request, cause)
  })

/** Wraps the handling of a request. */
export const around = <E, R>(
  handled: Handled<E, R>
): Handled<E, R | HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (!hasOneHost(request)) {
      const message = "Invalid request: more than one Host header"
      return Effect.succeed(
        afterAnswer(request, edgeResponse(request.url, { status: 400, message }))
      )
    }
    const url = readable(request.url)
    const routed =
      url === request.url
        ? handled
        : Effect.provideService(
            handled,
            HttpServerRequest.HttpServerRequest,
            request.modify({ url })
          )
    return Effect.map(recovered(routed, request), (response) => afterAnswer(request, response))
  })
