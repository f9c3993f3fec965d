/**
 * The console as a layer: its files, its sessions and its proxy, on the router that has the API.
 * The code for browsers is in the folder `page`.
 */
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import type { Authorize } from "./ApiProxy.ts"
import * as ApiProxy from "./ApiProxy.ts"
import * as PageRoutes from "./PageRoutes.ts"
import * as SessionRoutes from "./SessionRoutes.ts"
import { Sessions } from "./Sessions.ts"

/** Paths of the console, and who is allowed to use it. */
export interface ConsoleOptions {
  /** The folder of the console on the router. Default: `/console`. */
  readonly prefix?: `/${string}`
  /** The folder that the API has on the same router. Default: none. */
  readonly api?: `/${string}`
  /**
   * Decides who is allowed to use it, for a host that knows its users. Default: anyone who logs in
   * with a key.
   */
  readonly authorize?: Authorize
}

const trim = <Path extends string>(path: Path): Path => path.replace(/\/+$/, "") as Path

/**
 * The routes of the console. Requests of its page become requests of the API before any other
 * middleware sees them, so provide it to the layer of the API.
 */
export const layer = ({ api, authorize, prefix = "/console" }: ConsoleOptions = {}) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const options = { prefix: trim(prefix), api: trim(api ?? ""), authorize }
      yield* router.addGlobalMiddleware(yield* ApiProxy.make(options))
      yield* SessionRoutes.add(router, { authorize, path: `${options.prefix}/session` })
      yield* PageRoutes.add(router, options.prefix)
    })
  ).pipe(Layer.provide(Sessions.layer))
