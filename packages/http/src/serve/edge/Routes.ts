/**
 * The routes of the API: which of them a request is for, by its path as the router reads it, which
 * of them handled it, and the refusal of a request for none of them.
 */
import { Context, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api, documentPaths } from "../../contract/Api.ts"
import { makeErrorAnswer } from "./ErrorAnswer.ts"

const isDecodable = (path: string): boolean =>
  Option.isSome(Option.liftThrowable(decodeURIComponent)(path))

/**
 * The router cuts a path at a semicolon, and finds nothing where an escape is broken. Read
 * literally, such a path reaches its operation, which refuses the parameter in its own words.
 */
export const toReadable = (url: string): string => {
  const end = url.indexOf("?")
  const path = end === -1 ? url : url.slice(0, end)
  if (!/[;#%]/.test(path)) return url
  const whole = path.replaceAll(";", "%3B").replaceAll("#", "%23")
  return (isDecodable(whole) ? whole : whole.replaceAll("%", "%25")) + url.slice(path.length)
}

/** How a proxy asks: with the whole URL. */
const beforePath = /^https?:\/\/.*?\//

/**
 * The parts of a path between its slashes, as the router compares them: decoded, but for what would
 * divide it (`%2F`). A slash at the end means nothing.
 */
export const segmentsOf = (path: string): ReadonlyArray<string> =>
  decodeURI(toReadable(path.replace(beforePath, "/")))
    .replace(/\/$/, "")
    .split("/")

interface Route {
  readonly method: string
  /** As it was declared: `/v1/status/:id`. */
  readonly pattern: string
  readonly segments: ReadonlyArray<string>
}

const listRoutes = (): ReadonlyArray<Route> => {
  const found: Array<Route> = Object.values(documentPaths).map((path) => ({
    method: "GET",
    pattern: path,
    segments: segmentsOf(path)
  }))
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => {
      found.push({ method, pattern: path, segments: segmentsOf(path) })
    }
  })
  return found
}

const all = listRoutes()

/** Every pattern once, however many methods it has. */
export const patterns: ReadonlySet<string> = new Set(all.map(({ pattern }) => pattern))

/** Of so many segments each: a path is compared with a few routes. */
const routes: ReadonlyMap<number, ReadonlyArray<Route>> = Map.groupBy(
  all,
  ({ segments }) => segments.length
)

const matches = (pattern: ReadonlyArray<string>, segments: ReadonlyArray<string>): boolean =>
  pattern.every((part, index) => part.startsWith(":") || part === segments[index])

const findRoutes = (path: string): ReadonlyArray<Route> => {
  const segments = segmentsOf(path)
  return (routes.get(segments.length) ?? []).filter((route) => matches(route.segments, segments))
}

/** The methods that a path has, HEAD where it has GET (RFC 9110, 9.1). */
export const findMethods = (path: string): ReadonlySet<string> => {
  const methods = new Set(findRoutes(path).map(({ method }) => method))
  if (methods.has("GET")) methods.add("HEAD")
  return methods
}

/** A parameter matches what another route says literally: that one is meant. */
const parametersIn = ({ segments }: Route): number =>
  segments.filter((segment) => segment.startsWith(":")).length

/** The pattern of the route that a request is for; none where no route of ours answers. */
export const findPattern = (method: string, path: string): string | undefined => {
  const asked = method === "HEAD" ? "GET" : method
  const [best] = findRoutes(path)
    .filter((route) => route.method === asked)
    .toSorted((one, other) => parametersIn(one) - parametersIn(other))
  return best?.pattern
}

type Request = HttpServerRequest.HttpServerRequest
type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/**
 * Where it is noted: on what the platform gave for a request, which stays the same however it is
 * changed. In a weak map of all requests, each young generation was twice as long to collect.
 */
const noted = Symbol("@verbatim/http/ChosenRoute")

interface Noted {
  [noted]?: string
}

/** Notes what handles a request. */
export const setRoute = ({ source }: Request, route: string): void => {
  const given: Noted = source
  given[noted] = route
}

/** What handled a request; none where nothing was found for it. */
export const routeOf = ({ source }: Request): string | undefined => {
  const given: Noted = source
  return given[noted]
}

const chosenIn = (context: Context.Context<never>) =>
  Context.getOrUndefined(context, HttpRouter.RouteContext)

/**
 * Notes which route the router chose. Nothing else may stand between this and the router. On a
 * router of a host, which has chosen before, a request may end with what the host chose.
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

/** Refuses a request without a route where there are a few reads and nothing else. */
export const refuseUnknown = (
  request: HttpServerRequest.HttpServerRequest
): HttpServerResponse.HttpServerResponse =>
  makeErrorAnswer(request.url, { status: 404, message: "Not Found" })
