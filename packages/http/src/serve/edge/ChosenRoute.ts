/** Which route handled a request: what the router chose, or what answered in its place. */
import { Context, Effect } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"

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
