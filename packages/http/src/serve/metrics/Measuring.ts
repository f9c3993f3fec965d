/** Counts and measures every request, by the pattern of its route and the status of its answer. */
import { makeRecorders, type Recorders } from "@verbatim/core/metrics"
import { Clock, Context, Effect, Exit } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { noteRoute, routeOf } from "../edge/ChosenRoute.ts"
import { clientGone, httpTable, noRoute } from "./HttpTable.ts"

type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** The metrics of the API, ready to be counted. */
export const httpMetrics: Recorders<typeof httpTable> = makeRecorders(httpTable)

const nanosPerSecond = 1e9

/** Measures whole requests, around everything that guards them. */
export const measure =
  <E, R, E2, R2>(guard: (handled: Handled<E, R>) => Handled<E2, R2>) =>
  (handled: Handled<E, R>): Handled<E2, R2> => {
    // Once for all requests: none of it is made anew.
    const guarded = guard(noteRoute(handled))
    return Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const clock = fiber.getRef(Clock.Clock)
      const begun = clock.monotonicTimeNanosUnsafe()
      return Effect.onExit(guarded, (exit) => {
        const { method } = request
        const route = routeOf(request) ?? noRoute
        const status = String(Exit.isSuccess(exit) ? exit.value.status : clientGone)
        const seconds = Number(clock.monotonicTimeNanosUnsafe() - begun) / nanosPerSecond
        httpMetrics.requests.recordUnsafe(fiber.context, { method, route, status })
        httpMetrics.requestDuration.recordUnsafe(fiber.context, { method, route }, seconds)
        return Effect.void
      })
    })
  }
