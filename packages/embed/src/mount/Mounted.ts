/**
 * Builds the API once for a host that is not an Effect program. `toFetch` and `toHandler` adapt it
 * to the host's web server. This module opens neither a store nor a port.
 */
import {
  answer,
  isApiRequest,
  mcpPath,
  type Prefix,
  ServesMcp,
  toErrorBody,
  toPrefix
} from "@verbatim/http"
import { Context, Effect, Fiber, Layer, type Scope } from "effect"
import { HttpEffect, HttpMiddleware, HttpServerRequest, HttpServerResponse } from "effect/http"

/** Options of `toFetch` and `toHandler`. */
export interface MountOptions {
  /** The path prefix of the API, as clients see it. Default: none, as in a server. */
  readonly prefix?: Prefix
}

const unavailable = { status: 503, message: "Service Unavailable" } as const

/** The built API, with everything that it needs to answer requests. */
export interface Mounted {
  readonly prefix: Prefix | ""
  /** Whether a path belongs to the API. A host may also serve other paths. */
  readonly owns: (path: string) => boolean
  /** Answers a request, even if the host has changed the URL. */
  readonly answer: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    unknown,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >
  readonly context: Context.Context<never>
  /** Closing this scope interrupts running requests, which get status 503. */
  readonly scope: Scope.Scope
}

/**
 * Lists the paths that a request may have been sent to, best first. Connect and Express remove a
 * handler's prefix from `url`, and keep the whole URL in `originalUrl`.
 */
export const listPaths = (source: object, url: string): ReadonlyArray<string> => {
  const whole: unknown = Reflect.get(source, "originalUrl")
  return typeof whole === "string" ? [whole, url] : [url]
}

/**
 * Returns the path below the prefix. If the prefix is missing, the host has already removed it, as
 * Hono's `mount` does.
 */
const toRelative = (paths: ReadonlyArray<string>, prefix: Prefix | ""): string => {
  const found = prefix === "" ? undefined : paths.find((path) => isApiRequest(path, prefix))
  const path = found?.slice(prefix.length) ?? paths.at(-1) ?? "/"
  return path.startsWith("/") ? path : `/${path}`
}

/** Adds a body to the empty response that the platform sends for an interrupted request. */
const addBody = (url: string, response: HttpServerResponse.HttpServerResponse) =>
  response.status === unavailable.status && response.body._tag === "Empty"
    ? HttpServerResponse.jsonUnsafe(toErrorBody(url, unavailable), unavailable)
    : response

/** Routes that are served next to the API, below their own path. */
interface ExtraRoutes<E, R> {
  readonly folder: Prefix
  readonly layer: Layer.Layer<never, E, R>
}

const noRoutes: ExtraRoutes<never, never> = { folder: "/", layer: Layer.empty }

/** Builds the API with the host's services, and serves additional routes next to it. */
export const mountWith = Effect.fnUntraced(function* <E, R>(
  { prefix: given = "" }: { readonly prefix?: Prefix | "" },
  extra: ExtraRoutes<E, R>
) {
  const prefix = toPrefix(given)
  const handle = yield* answer({ first: extra.layer, ...(prefix === "" ? {} : { prefix }) })
  const scope = yield* Effect.scope
  const context = yield* Effect.context<never>()
  const servesMcp = yield* ServesMcp
  const isExtra = (path: string) =>
    (extra.folder !== "/" && isApiRequest(path, extra.folder)) ||
    (servesMcp && isApiRequest(path, mcpPath))
  const mounted: Mounted = {
    prefix,
    scope,
    owns: (path) => isApiRequest(path, prefix) || (prefix === "" && isExtra(path)),
    // The API creates its own spans, because the platform's would show the query of the URL.
    context: Context.add(context, HttpMiddleware.TracerDisabledWhen, () => true),
    answer: Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      const url = toRelative(listPaths(request.source, request.url), prefix)
      const relative = url === request.url ? request : request.modify({ url })
      return HttpEffect.withPreResponseHandler(
        Effect.provideService(handle, HttpServerRequest.HttpServerRequest, relative),
        (_, response) => Effect.succeed(addBody(url, response))
      )
    })
  }
  return mounted
})

/** Builds the API with the host's services and settings. */
export const mount = (options: MountOptions = {}) => mountWith(options, noRoutes)

/** Answers a request. The promise never rejects. Aborting the request stops the work. */
export type Fetch = (request: Request) => Promise<Response>

/** The services that come with each request. */
type Provided = HttpServerRequest.HttpServerRequest | Scope.Scope

/** Creates a handler of all requests for a host that uses `Request` and `Response`. */
export const toFetch = ({ answer, context, scope }: Mounted): Fetch => {
  const handle = HttpEffect.toWebHandlerWith<never, Provided>(context)(
    Effect.withFiber((fiber) => {
      Fiber.runIn(fiber, scope)
      return answer
    })
  )
  // Hosts may pass further arguments after the request, such as bindings and route parameters.
  return (request) => handle(request)
}
