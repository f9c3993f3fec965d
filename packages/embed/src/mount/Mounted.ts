/**
 * The API, built once for a host that is no program of Effect. `toFetch` and `toHandler` turn it
 * into what the hosts of today call; neither of them opens, listens or waits for anything.
 */
import { answer, isOurs, type Prefix, toErrorBody, toPrefix } from "@verbatim/http"
import { Context, Effect, Fiber, Layer, type Scope } from "effect"
import { HttpEffect, HttpMiddleware, HttpServerRequest, HttpServerResponse } from "effect/http"

/** Where the API stands. */
export interface MountOptions {
  /** The folder that is ours, as a client sees it. Left out: our paths are those of a server. */
  readonly prefix?: Prefix
}

const unavailable = { status: 503, message: "Service Unavailable" } as const

/** The API and what it needs to answer. */
export interface Mounted {
  readonly prefix: Prefix | ""
  /** Whether a path is one of ours, on a host that has paths of its own. */
  readonly owns: (path: string) => boolean
  /** Answers a request, wherever its host has put it. */
  readonly answer: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    unknown,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >
  readonly context: Context.Context<never>
  /** Requests under way are interrupted when it ends, and answered with 503. */
  readonly scope: Scope.Scope
}

/**
 * The paths by which a request may be known, best first. Connect and Express take the folder of a
 * handler away from `url`, and leave the whole in `originalUrl`.
 */
export const listPaths = (source: object, url: string): ReadonlyArray<string> => {
  const whole: unknown = Reflect.get(source, "originalUrl")
  return typeof whole === "string" ? [whole, url] : [url]
}

/**
 * The path below the prefix. A host has handed us what has no prefix: it took the prefix away
 * itself, as `mount` of Hono does.
 */
const toRelative = (paths: ReadonlyArray<string>, prefix: Prefix | ""): string => {
  const found = prefix === "" ? undefined : paths.find((path) => isOurs(path, prefix))
  const path = found?.slice(prefix.length) ?? paths.at(-1) ?? "/"
  return path.startsWith("/") ? path : `/${path}`
}

/** What is interrupted by the end is answered without a body by the platform. */
const giveBody = (url: string, response: HttpServerResponse.HttpServerResponse) =>
  response.status === unavailable.status && response.body._tag === "Empty"
    ? HttpServerResponse.jsonUnsafe(toErrorBody(url, unavailable), unavailable)
    : response

/** What stands beside the API, in a folder of its own. */
interface Beside<E, R> {
  readonly folder: Prefix
  readonly layer: Layer.Layer<never, E, R>
}

const nothing: Beside<never, never> = { folder: "/", layer: Layer.empty }

/** Builds the API over the services of the host, and what stands beside it. */
export const mountWith = Effect.fnUntraced(function* <E, R>(
  { prefix: given = "" }: { readonly prefix?: Prefix | "" },
  beside: Beside<E, R>
) {
  const prefix = toPrefix(given)
  const handle = yield* answer({ first: beside.layer, ...(prefix === "" ? {} : { prefix }) })
  const scope = yield* Effect.scope
  const context = yield* Effect.context<never>()
  const isBeside = (path: string) => beside.folder !== "/" && isOurs(path, beside.folder)
  const mounted: Mounted = {
    prefix,
    scope,
    owns: (path) => isOurs(path, prefix) || (prefix === "" && isBeside(path)),
    // The platform's own spans would show the query of a URL: we make ours.
    context: Context.add(context, HttpMiddleware.TracerDisabledWhen, () => true),
    answer: Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const url = toRelative(listPaths(request.source, request.url), prefix)
      const relative = url === request.url ? request : request.modify({ url })
      return HttpEffect.withPreResponseHandler(
        Effect.provideService(handle, HttpServerRequest.HttpServerRequest, relative),
        (_, response) => Effect.succeed(giveBody(url, response))
      )
    })
  }
  return mounted
})

/** Builds the API over the services of the host, with the settings that the host has provided. */
export const mount = (options: MountOptions = {}) => mountWith(options, nothing)

/** Answers a request. It never rejects, and stops working when the request is aborted. */
export type Fetch = (request: Request) => Promise<Response>

/** What each request brings with it. */
type Needed = HttpServerRequest.HttpServerRequest | Scope.Scope

/** Makes what answers every request of a host of `Request` and `Response`, whatever its path. */
export const toFetch = ({ answer, context, scope }: Mounted): Fetch => {
  const handle = HttpEffect.toWebHandlerWith<never, Needed>(context)(
    Effect.withFiber((fiber) => {
      Fiber.runIn(fiber, scope)
      return answer
    })
  )
  // Hosts give more than the request: bindings, parameters of the route.
  return (request) => handle(request)
}
