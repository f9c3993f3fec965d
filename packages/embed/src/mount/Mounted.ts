/**
 * Builds the API once for a host that is not an Effect program. `toFetch` and `toHandler` adapt the
 * API to the interfaces of hosts. This module opens no store and no port.
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
  /** The path prefix of the API as clients see it. Default: none, as in a server. */
  readonly prefix?: Prefix
}

const unavailable = { status: 503, message: "Service Unavailable" } as const

/** The API with its requirements. */
export interface Mounted {
  readonly prefix: Prefix | ""
  /** Whether a path belongs to the API, for a host that has other paths. */
  readonly owns: (path: string) => boolean
  /** Handles a request, even if the host has changed the URL. */
  readonly answer: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    unknown,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >
  readonly context: Context.Context<never>
  /** When this scope closes, running requests are interrupted and get status 503. */
  readonly scope: Scope.Scope
}

/**
 * Lists the possible paths of a request, best first. Connect and Express remove the prefix of a
 * handler from `url` and keep the whole URL in `originalUrl`.
 */
export const listPaths = (source: object, url: string): ReadonlyArray<string> => {
  const whole: unknown = Reflect.get(source, "originalUrl")
  return typeof whole === "string" ? [whole, url] : [url]
}

/**
 * Returns the path below the prefix. If the path has no prefix, the host has already removed it, as
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

/** Additional routes alongside the API, below their own path. */
interface ExtraRoutes<E, R> {
  readonly folder: Prefix
  readonly layer: Layer.Layer<never, E, R>
}

const noRoutes: ExtraRoutes<never, never> = { folder: "/", layer: Layer.empty }

/** Builds the API on top of the host's services, with additional routes next to it. */
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
    // The platform's own spans would show the URL's query, so the API creates its own spans.
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

/** Builds the API on top of the host's services and settings. */
export const mount = (options: MountOptions = {}) => mountWith(options, noRoutes)

/** Answers a request. The promise never rejects, and the work stops when the request is aborted. */
export type Fetch = (request: Request) => Promise<Response>

/** Services that each request provides. */
type Provided = HttpServerRequest.HttpServerRequest | Scope.Scope

/** Creates a handler for all requests in a host that uses `Request` and `Response`. */
export const toFetch = ({ answer, context, scope }: Mounted): Fetch => {
  const handle = HttpEffect.toWebHandlerWith<never, Provided>(context)(
    Effect.withFiber((fiber) => {
      Fiber.runIn(fiber, scope)
      return answer
    })
  )
  // Hosts pass more arguments than the request, such as bindings and route parameters.
  return (request) => handle(request)
}
