/**
 * The API, built once for a host that is no program of Effect. `toFetch` and `toHandler` turn it
 * into what the hosts of today call; neither of them opens, listens or waits for anything.
 */
import { answer, isOurs, type Prefix, toErrorBody, toPrefix } from "@verbatim/http"
import { Context, Effect, type Scope } from "effect"
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

/** Builds the API over the services of the host, with the settings that the host has provided. */
export const mount = Effect.fnUntraced(function* (options: MountOptions = {}) {
  const prefix = toPrefix(options.prefix ?? "")
  const handle = yield* answer(prefix === "" ? {} : { prefix })
  const scope = yield* Effect.scope
  const given = yield* Effect.context<never>()
  const mounted: Mounted = {
    prefix,
    scope,
    // The platform's own spans would show the query of a URL: we make ours.
    context: Context.add(given, HttpMiddleware.TracerDisabledWhen, () => true),
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
