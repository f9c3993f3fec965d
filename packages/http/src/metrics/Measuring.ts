/** Counts and measures every request, by the pattern of its route and the status of its answer. */
import { makeRecorders, type Recorders } from "@verbatim/core/metrics"
import { Clock, Context, Effect, Exit } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { clientGone, httpTable, noRoute } from "./HttpTable.ts"

type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** The metrics of the API, ready to be counted. */
export const httpMetrics: Recorders<typeof httpTable> = makeRecorders(httpTable)

/** Which route handled a request, by what the platform gave for it. */
const routes = new WeakMap<object, string>()

/** Notes which route the router chose. Nothing else may stand between this and the router. */
const noteRoute = <E, R>(handled: Handled<E, R>): Handled<E, R> =>
  Effect.onExit(handled, () =>
    Effect.withFiber(({ context }) => {
      const { source } = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
      const chosen = Context.getOrUndefined(context, HttpRouter.RouteContext)
      if (chosen !== undefined) routes.set(source, chosen.route.path)
      return Effect.void
    })
  )

const nanosPerSecond = 1e9

/** Measures whole requests, around everything that guards them. */
export const measure =
  <E, R, E2, R2>(guard: (handled: Handled<E, R>) => Handled<E2, R2>) =>
  (handled: Handled<E, R>): Handled<E2, R2> =>
    Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const clock = fiber.getRef(Clock.Clock)
      const begun = clock.monotonicTimeNanosUnsafe()
      return Effect.onExit(guard(noteRoute(handled)), (exit) => {
        const { method, source } = request
        const route = routes.get(source) ?? noRoute
        const status = String(Exit.isSuccess(exit) ? exit.value.status : clientGone)
        const seconds = Number(clock.monotonicTimeNanosUnsafe() - begun) / nanosPerSecond
        return Effect.andThen(
          httpMetrics.requests.record({ method, route, status }),
          httpMetrics.requestDuration.record({ method, route }, seconds)
        )
      })
    })
