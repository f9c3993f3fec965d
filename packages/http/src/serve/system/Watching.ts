/**
 * What a process without the API listens for: how it is doing. Other routes for whoever watches a
 * process may stand beside these.
 */
import { Effect, Layer, References } from "effect"
import { HttpMiddleware, HttpRouter, HttpServerResponse } from "effect/http"
import { makeGuard } from "../edge/Edge.ts"
import { FailureLog } from "../edge/FailureLog.ts"
import { measure, observe } from "../edge/Observation.ts"
import { refuseUnknown } from "../edge/Routes.ts"
import { type HealthReport, isReady, toView } from "./Health.ts"
import { makeReading } from "./HealthAudience.ts"

type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Of whoever looks after a process nobody keeps a trace, not even of paths that are not there. */
const untraced = Effect.provideService(References.TracerEnabled, false)

const guarded = HttpRouter.use((router) =>
  Effect.flatMap(FailureLog, (log) => {
    const guard = makeGuard(log, refuseUnknown)
    const whole = measure(<E, R>(handled: Handled<E, R>) => untraced(observe(guard(handled))))
    return router.addGlobalMiddleware(whole)
  })
).pipe(Layer.provide(FailureLog.layer))

const health = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const reading = yield* makeReading
    const answer = (isWell: (report: HealthReport) => boolean) =>
      Effect.map(reading, ([found, audience]) =>
        HttpServerResponse.jsonUnsafe(toView(found, audience), {
          status: isWell(found) ? 200 : 503
        })
      )
    yield* router.add(
      "GET",
      "/health",
      answer(({ isStoreUp }) => isStoreUp)
    )
    yield* router.add("GET", "/health/ready", answer(isReady))
  })
)

/** The routes: as the API has them, and no others. */
const routes = Layer.merge(health, guarded)

/** A server for whoever watches the process, with further routes. Its requests make no spans. */
export const watching = <E = never, R = never>(more: Layer.Layer<never, E, R> = Layer.empty) =>
  HttpRouter.serve(Layer.merge(routes, more), {
    disableLogger: true,
    disableListenLog: true
  }).pipe(Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)))
