/**
 * Lists the API's routes, finds the route of a request by its path, records which route handled a
 * request, and refuses requests without a route.
 */
import { Context, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api, documentPaths } from "../../contract/Api.ts"
import { makeErrorAnswer } from "./ErrorAnswer.ts"

const isDecodable = (path: string): boolean =>
  Option.isSome(Option.liftThrowable(decodeURIComponent)(path))

/**
 * Escapes semicolons and broken escapes in a URL. The router would cut the path at a semicolon, and
 * find no route for a broken escape. With these characters escaped, the request reaches its
 * operation, which refuses the parameter with a specific message.
 */
export const toReadable = (url: string): string => {
  const end = url.indexOf("?")
  const path = end === -1 ? url : url.slice(0, end)
  if (!/[;#%]/.test(path)) return url
  const whole = path.replaceAll(";", "%3B").replaceAll("#", "%23")
  return (isDecodable(whole) ? whole : whole.replaceAll("%", "%25")) + url.slice(path.length)
}

/** Matches the origin in an absolute URL. Proxies send absolute URLs. */
const beforePath = /^https?:\/\/.*?\//

/**
 * Splits a path into segments as the router compares them: decoded, except for escapes that would
 * split a segment (`%2F`). A trailing slash is ignored.
 */
export const splitPath = (path: string): ReadonlyArray<string> =>
  decodeURI(toReadable(path.replace(beforePath, "/")))
    .replace(/\/$/, "")
    .split("/")

interface Route {
  readonly method: string
  /** The pattern as declared, such as `/v1/status/:id`. */
  readonly pattern: string
  readonly segments: ReadonlyArray<string>
}

const listRoutes = (): ReadonlyArray<Route> => {
  const found: Array<Route> = Object.values(documentPaths).map((path) => ({
    method: "GET",
    pattern: path,
    segments: splitPath(path)
  }))
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => {
      found.push({ method, pattern: path, segments: splitPath(path) })
    }
  })
  return found
}

const all = listRoutes()

/** The patterns of all routes, without duplicates. */
export const patterns: ReadonlySet<string> = new Set(all.map(({ pattern }) => pattern))

/** Routes by number of segments, so that a path is compared with only a few routes. */
const routes: ReadonlyMap<number, ReadonlyArray<Route>> = Map.groupBy(
  all,
  ({ segments }) => segments.length
)

const matches = (pattern: ReadonlyArray<string>, segments: ReadonlyArray<string>): boolean =>
  pattern.every((part, index) => part.startsWith(":") || part === segments[index])

const findRoutes = (path: string): ReadonlyArray<Route> => {
  const segments = splitPath(path)
  return (routes.get(segments.length) ?? []).filter((route) => matches(route.segments, segments))
}

/** Finds the methods of a path, including HEAD if the path has GET (RFC 9110, 9.1). */
export const findMethods = (path: string): ReadonlySet<string> => {
  const methods = new Set(findRoutes(path).map(({ method }) => method))
  if (methods.has("GET")) methods.add("HEAD")
  return methods
}

/**
 * Counts the parameters of a route. A literal segment takes precedence over a parameter, so the
 * route with the fewest parameters wins.
 */
const parametersIn = ({ segments }: Route): number =>
  segments.filter((segment) => segment.startsWith(":")).length

/** Finds the pattern of a request's route; undefined if none of our routes matches. */
export const findPattern = (method: string, path: string): string | undefined => {
  const matched = method === "HEAD" ? "GET" : method
  const [best] = findRoutes(path)
    .filter((route) => route.method === matched)
    .toSorted((one, other) => parametersIn(one) - parametersIn(other))
  return best?.pattern
}

type Request = HttpServerRequest.HttpServerRequest
type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/**
 * The property of the platform's request object that holds the route. Modified requests keep this
 * object. A weak map of all requests would double the time of each garbage collection of young
 * objects.
 */
const noted = Symbol("@verbatim/http/ChosenRoute")

interface Noted {
  [noted]?: string
}

export const setRoute = ({ source }: Request, route: string): void => {
  const given: Noted = source
  given[noted] = route
}

/** Returns the recorded route of a request; undefined if no route handled it. */
export const getRoute = ({ source }: Request): string | undefined => {
  const given: Noted = source
  return given[noted]
}

const chosenIn = (context: Context.Context<never>) =>
  Context.getOrUndefined(context, HttpRouter.RouteContext)

/**
 * Records the route that the router matched. This must wrap our own router directly. Outside it,
 * the host's route could be recorded instead, because the host's router matches first.
 */
export const noteRoute = <E, R>(handled: Handled<E, R>): Handled<E, R> =>
  Effect.withFiber((fiber) => {
    const before = chosenIn(fiber.context)
    return Effect.onExit(handled, () =>
      Effect.withFiber(({ context }) => {
        const chosen = chosenIn(context)
        if (chosen !== undefined && chosen !== before) {
          const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
          setRoute(request, chosen.route.path)
        }
        return Effect.void
      })
    )
  })

/** Refuses a request without a route. */
export const refuseUnrouted = (
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse => {
  const [path = ""] = request.url.split("?", 1)
  const methods = findMethods(path)
  if (methods.size === 0) return makeErrorAnswer(path, { status: 404, message: "Not Found" })
  const refusal = makeErrorAnswer(path, { status: 405, message: "Method Not Allowed" })
  return HttpServerResponse.setHeader(refusal, "allow", [...methods].join(", "))
}

/** Refuses a request without a route on a server that has only a few read operations. */
export const refuseUnknown = (
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse =>
  makeErrorAnswer(request.url, { status: 404, message: "Not Found" })
