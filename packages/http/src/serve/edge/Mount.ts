/**
 * Where the API stands on a host's router. It is an application of its own there: what guards,
 * measures and tells of its requests never sees those of the host.
 */

import { Context, Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { apiRoot, documentPaths } from "../../contract/Api.ts"

/** The path of a folder on a host's router. */
export type Prefix = `/${string}`

/** A folder as it is compared: without a slash at its end, and empty for the root. */
export const toPrefix = (prefix: Prefix | ""): Prefix | "" =>
  prefix.replace(/\/+$/, "") as Prefix | ""

/** What is ours at the root of a host that gives us no folder: all else stays the host's. */
const ownPaths = [
  `${apiRoot}/*`,
  "/health",
  "/health/ready",
  documentPaths.openapi,
  documentPaths.page
] as const

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`)

/** Tells whether a request is for us, by its path, on a host that gives us this folder. */
export const isApiRequest = (url: string, prefix: Prefix | ""): boolean => {
  const [path = ""] = url.split("?", 1)
  const folder = toPrefix(prefix)
  if (folder !== "") return isBelow(path, folder)
  return ownPaths.some((own) =>
    own.endsWith("/*") ? path.startsWith(own.slice(0, -1)) : path === own
  )
}

/** Below which path the API is seen from outside: empty at the root. */
export const MountedAt: Context.Reference<Prefix | ""> = Context.Reference(
  "@verbatim/http/MountedAt",
  { defaultValue: (): Prefix | "" => "" }
)

/**
 * Paths are read exactly. A slug may be longer than the router's default for a parameter: the
 * service judges its length, and the server that of the whole request line.
 */
export const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  maxParamLength: 65_536
} as const

/** Handles requests with an application on a router that nobody else has. */
const build = Effect.fnUntraced(function* <E, R>(application: Layer.Layer<never, E, R>) {
  const router = yield* HttpRouter.make
  // Two hosts, or two folders of one, have an application each.
  const built = yield* Layer.makeMemoMap
  const scope = yield* Effect.scope
  yield* Layer.buildWithMemoMap(application, built, scope).pipe(
    Effect.provideService(HttpRouter.HttpRouter, router)
  )
  return router.asHttpEffect()
})

/**
 * Builds an application that is seen below a prefix, and handles requests whose path begins below
 * it: whoever calls has taken the prefix away.
 */
export const handleAlone = <E, R>(
  application: Layer.Layer<never, E, R>,
  prefix: Prefix | "" = ""
) =>
  build(application).pipe(
    Effect.provideService(HttpRouter.RouterConfig, routerConfig),
    Effect.provideService(MountedAt, toPrefix(prefix))
  )

/** Adds an application to the router of a host, below a prefix or at its own paths. */
export const mount = <E, R>(application: Layer.Layer<never, E, R>, given: Prefix | "" = "") => {
  const prefix = toPrefix(given)
  return HttpRouter.use(
    Effect.fnUntraced(function* (host) {
      const handle = yield* handleAlone(application, prefix)
      const router = prefix === "" ? host : host.prefixed(prefix)
      const paths = prefix === "" ? ownPaths : (["/*"] as const)
      // Whether a request can be interrupted is up to the route that is found in the end.
      const options = { uninterruptible: true }
      yield* Effect.forEach(paths, (path) => router.add("*", path, Effect.orDie(handle), options), {
        discard: true
      })
    })
  )
}
