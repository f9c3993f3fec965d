/**
 * The console as a layer that adds files, sessions and the proxy to the router that serves the API.
 * The browser code is in the `page` folder.
 */
import { fileURLToPath } from "node:url"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import type { Authorize } from "./ApiProxy.ts"
import * as ApiProxy from "./ApiProxy.ts"
import { pageHeaders } from "./Responses.ts"
import * as SessionRoutes from "./SessionRoutes.ts"
import { Sessions } from "./Sessions.ts"
import * as StaticFiles from "./StaticFiles.ts"

/** The console's paths, and the users who may use it. */
export interface ConsoleOptions {
  /** The console's folder on the router. Default: `/console`. */
  readonly prefix?: `/${string}`
  /** The API's folder on the same router. Default: none. */
  readonly api?: `/${string}`
  /**
   * Decides which users may use the console, for a host that knows its users. Default: everyone who
   * logs in with a key.
   */
  readonly authorize?: Authorize
}

/**
 * The folder with the built files. Its relative path is the same from sources and from compiled
 * files.
 */
const pageFolder = fileURLToPath(new URL("../dist/page/", import.meta.url))

const trim = <Path extends string>(path: Path): Path => path.replace(/\/+$/, "") as Path

/**
 * The console's routes. This layer must be provided to the API's layer, because the page's requests
 * must become API requests before any other middleware sees them.
 */
export const layer = ({ api, authorize, prefix = "/console" }: ConsoleOptions = {}) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const options = { prefix: trim(prefix), api: trim(api ?? ""), authorize }
      yield* router.addGlobalMiddleware(yield* ApiProxy.make(options))
      yield* SessionRoutes.add(router, { authorize, path: `${options.prefix}/session` })
      yield* StaticFiles.add(router, {
        prefix: options.prefix,
        folder: pageFolder,
        headers: pageHeaders,
        missing: "The console is not built here: run npm run build."
      })
    })
  ).pipe(Layer.provide(Sessions.layer))
