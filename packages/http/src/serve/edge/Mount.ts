/**
 * Mounts the API on a host's router as a separate application. The guard, metrics and logs of the
 * API never see the host's requests.
 */

import { Context, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { apiRoot, documentPaths, mcpPath } from "../../contract/Api.ts"

/** A path prefix on a host's router. */
export type Prefix = `/${string}`

/** Normalizes a prefix: without a trailing slash, and empty for the root. */
export const toPrefix = (prefix: Prefix | ""): Prefix | "" =>
  prefix.replace(/\/+$/, "") as Prefix | ""

/** Paths of the API if the host sets no prefix. All other paths belong to the host. */
const ownPaths = [
  `${apiRoot}/*`,
  "/health",
  "/health/ready",
  documentPaths.openapi,
  documentPaths.page
] as const

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`)

/** Whether a request is for the API, according to its path and the prefix. */
export const isApiRequest = (url: string, prefix: Prefix | ""): boolean => {
  const [path = ""] = url.split("?", 1)
  const folder = toPrefix(prefix)
  if (folder !== "") return isBelow(path, folder)
  return ownPaths.some((own) =>
    own.endsWith("/*") ? path.startsWith(own.slice(0, -1)) : path === own
  )
}

/** Whether the server offers the API to agents over MCP. */
export const ServesMcp: Context.Reference<boolean> = Context.Reference("@verbatim/http/ServesMcp", {
  defaultValue: () => false
})

/** The prefix under which clients see the API; empty at the root. */
export const MountedAt: Context.Reference<Prefix | ""> = Context.Reference(
  "@verbatim/http/MountedAt",
  { defaultValue: (): Prefix | "" => "" }
)

/**
 * Paths are matched exactly. Parameters have no length limit here: the service checks the length of
 * a slug, and the server checks the length of the whole request line.
 */
export const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  maxParamLength: 65_536
} as const

/** Builds an application on its own router. */
const build = Effect.fnUntraced(function* <E, R>(application: Layer.Layer<never, E, R>) {
  const router = yield* HttpRouter.make
  // Every call builds its own instance of the application.
  const built = yield* Layer.makeMemoMap
  const scope = yield* Effect.scope
  yield* Layer.buildWithMemoMap(application, built, scope).pipe(
    Effect.provideService(HttpRouter.HttpRouter, router)
  )
  return router.asHttpEffect()
})

/**
 * Builds an application for a prefix and returns its handler, for callers that remove the prefix
 * themselves.
 */
export const handleAlone = <E, R>(
  application: Layer.Layer<never, E, R>,
  prefix: Prefix | "" = ""
) =>
  build(application).pipe(
    Effect.provideService(HttpRouter.RouterConfig, routerConfig),
    Effect.provideService(MountedAt, toPrefix(prefix))
  )

/** Adds an application to a host's router, below a prefix or at its default paths. */
export const mount = <E, R>(application: Layer.Layer<never, E, R>, given: Prefix | "" = "") => {
  const prefix = toPrefix(given)
  return HttpRouter.use(
    Effect.fnUntraced(function* (host) {
      const handle = yield* handleAlone(application, prefix)
      const router = prefix === "" ? host : host.prefixed(prefix)
      const atRoot = (yield* ServesMcp) ? [...ownPaths, mcpPath] : ownPaths
      const paths = prefix === "" ? atRoot : (["/*"] as const)
      // Inside the application, the matched route determines whether a request can be interrupted.
      const options = { uninterruptible: true }
      yield* Effect.forEach(paths, (path) => router.add("*", path, Effect.orDie(handle), options), {
        discard: true
      })
    })
  )
}
