/**
 * Handles the operations about the server itself, also in processes without the API. No key is
 * needed, but only a caller with an operator or management key sees messages from the engine.
 */
import { OperatorKeys } from "@verbatim/core/services"
import { version } from "@verbatim/core/version"
import { Duration, Effect, Layer, Option, Redacted, References } from "effect"
import { HttpMiddleware, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiSecurity } from "effect/http-api"
import { Api, documentPaths } from "../../contract/Api.ts"
import { Authenticator, type Credentials } from "../auth/Authentication.ts"
import { makeGuard } from "../edge/Edge.ts"
import { FailureLog } from "../edge/FailureLog.ts"
import { MountedAt } from "../edge/Mount.ts"
import { observeRequests } from "../edge/RequestLogging.ts"
import { refuseUnknown } from "../edge/Routes.ts"
import { type Audience, Health, type HealthReport, isReady, toView } from "./Health.ts"

/**
 * Maximum time to look up the reader's key. An unresponsive store must not delay the report that
 * shows its state.
 */
const patience = Duration.seconds(2)

const bearer = HttpApiBuilder.securityDecode(HttpApiSecurity.bearer)

/** Identifies the reader by key, if the process can look up keys. */
const makeAudience = Effect.gen(function* () {
  const operators = yield* Effect.serviceOption(OperatorKeys)
  const authenticator = yield* Effect.serviceOption(Authenticator)

  const canSeeAll = Effect.fnUntraced(function* (shown: Credentials) {
    if (Redacted.value(shown.credential) === "") return false
    if (Option.isSome(operators)) {
      const { authenticate } = operators.value
      if (yield* Effect.isSuccess(authenticate(shown.credential))) return true
    }
    if (Option.isNone(authenticator)) return false
    const { kind } = yield* authenticator.value.identify(shown)
    return kind !== "inference"
  })

  return Effect.flatMap(
    Effect.all({ credential: bearer, request: HttpServerRequest.HttpServerRequest }),
    (shown) =>
      canSeeAll(shown).pipe(
        Effect.timeoutOption(patience),
        Effect.map(Option.getOrElse(() => false)),
        Effect.catchCause(() => Effect.succeed(false)),
        Effect.map((isTrusted): Audience => ({ isTrusted }))
      )
  )
})

/**
 * Builds the answers of both health operations. The status is 200 if all is well, otherwise 503
 * with a body in the same format.
 */
const makeAnswers = Effect.gen(function* () {
  const { report } = yield* Health
  const reading = Effect.zip(report, yield* makeAudience, { concurrent: true })
  const answerIf = (isWell: (found: HealthReport) => boolean) =>
    Effect.map(reading, ([found, audience]) =>
      HttpServerResponse.jsonUnsafe(toView(found, audience), { status: isWell(found) ? 200 : 503 })
    )
  return { health: answerIf(({ isStoreUp }) => isStoreUp), ready: answerIf(isReady) }
})

export const layer = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const { health, ready } = yield* makeAnswers
    const prefix = yield* MountedAt
    return handlers
      .handleRaw("health", () => health)
      .handleRaw("ready", () => ready)
      .handle("welcome", () =>
        Effect.succeed({
          name: "verbatim",
          version,
          documentation: prefix + documentPaths.page,
          description: prefix + documentPaths.openapi
        })
      )
  })
)

type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Health checks are not traced, even for unknown paths. */
const untraced = Effect.provideService(References.TracerEnabled, false)

const guardedHealth = HttpRouter.use((router) =>
  Effect.flatMap(FailureLog, (log) => {
    const guard = makeGuard(log, refuseUnknown)
    const whole = observeRequests(<E, R>(handled: Handled<E, R>) => guard(handled))
    return router.addGlobalMiddleware((handled) => untraced(whole(handled)))
  })
).pipe(Layer.provide(FailureLog.layer))

const healthReports = HttpRouter.use((router) =>
  Effect.flatMap(makeAnswers, ({ health, ready }) =>
    Effect.andThen(router.add("GET", "/health", health), router.add("GET", "/health/ready", ready))
  )
)

/** Only the health routes of the API. */
const healthRoutes = Layer.merge(healthReports, guardedHealth)

/**
 * Serves the health of a process, together with additional routes. No request to them creates a
 * span.
 */
export const serveHealth = <E = never, R = never>(more: Layer.Layer<never, E, R> = Layer.empty) =>
  HttpRouter.serve(Layer.merge(healthRoutes, more), {
    disableLogger: true,
    disableListenLog: true
  }).pipe(Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)))
