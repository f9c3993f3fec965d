/** Which route handled a request: what the router chose, or what answered in its place. */
import { Context, Effect } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest
type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** By what the platform gave for a request, which stays the same however it is changed. */
const routes = new WeakMap<object, string>()

/** Notes what handles a request. */
export const setRoute = ({ source }: Request, route: string): void => {
  routes.set(source, route)
}

/** What handled a request; none where nothing was found for it. */
export const routeOf = ({ source }: Request): string | undefined => routes.get(source)

/** Notes which route the router chose. Nothing else may stand between this and the router. */
export const noteRoute = <E, R>(handled: Handled<E, R>): Handled<E, R> =>
  Effect.onExit(handled, () =>
    Effect.withFiber(({ context }) => {
      const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
      const chosen = Context.getOrUndefined(context, HttpRouter.RouteContext)
      if (chosen !== undefined) setRoute(request, chosen.route.path)
      return Effect.void
    })
  )
