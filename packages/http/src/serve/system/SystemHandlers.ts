/**
 * Answers the operations about the server itself, in the API and in a process that has no other.
 * They need no key; an operator or management key is also shown what an engine said.
 */
import { OperatorKeys } from "@verbatim/core/services"
import { version } from "@verbatim/core/version"
import { Duration, Effect, Layer, Option, Redacted, References } from "effect"
import { HttpMiddleware, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api, documentPaths } from "../../contract/Api.ts"
import { Authenticator } from "../auth/Authentication.ts"
import { makeGuard } from "../edge/Edge.ts"
import { FailureLog } from "../edge/FailureLog.ts"
import { MountedAt } from "../edge/Mount.ts"
import { observeRequests } from "../edge/RequestLogging.ts"
import { refuseUnknown } from "../edge/Routes.ts"
import { type Audience, Health, type HealthReport, isReady, toView } from "./Health.ts"

/** A store that is silent must not hold up a report that says so. */
const patience = Duration.seconds(2)

/** The scheme may be written in either case (RFC 9110, 11.1). */
const bearer = /^bearer +(\S+)$/i

/** Finds the reader among the keys that the process can look up. */
const makeAudience = Effect.gen(function* () {
  const operators = yield* Effect.serviceOption(OperatorKeys)
  const authenticator = yield* Effect.serviceOption(Authenticator)

  const isManager = (shown: Parameters<Authenticator["Service"]["identify"]>[0]) =>
    Option.match(authenticator, {
      onNone: () => Effect.succeed(false),
      onSome: ({ identify }) => Effect.map(identify(shown), ({ kind }) => kind !== "inference")
    })

  const isOperator = (credential: Redacted.Redacted) =>
    Option.match(operators, {
      onNone: () => Effect.succeed(false),
      onSome: ({ authenticate }) => Effect.isSuccess(authenticate(credential))
    })

  return Effect.gen(function* (): Effect.fn.Return<
    Audience,
    never,
    HttpServerRequest.HttpServerRequest
  > {
    const request = yield* HttpServerRequest.HttpServerRequest
    const [, token] = bearer.exec(request.headers.authorization ?? "") ?? []
    if (token === undefined) return { isTrusted: false }
    const credential = Redacted.make(token)
    const isTrusted = isOperator(credential).pipe(
      Effect.flatMap((is) => (is ? Effect.succeed(true) : isManager({ credential, request }))),
      Effect.timeoutOption(patience),
      Effect.map(Option.getOrElse(() => false)),
      Effect.catchCause(() => Effect.succeed(false))
    )
    return { isTrusted: yield* isTrusted }
  })
})

/** A report, and who reads it. */
type ReadReport = readonly [HealthReport, Audience]

/** Makes the question that both doors ask: the report, and who reads it. */
const makeReading = Effect.gen(function* () {
  const { report } = yield* Health
  return Effect.zip(report, yield* makeAudience, { concurrent: true })
})

/** Answers with a report: as a success when all is well, else as an error of the same form. */
const answerIf =
  (isWell: (report: HealthReport) => boolean) =>
  ([report, audience]: ReadReport) => {
    const view = toView(report, audience)
    return isWell(report) ? Effect.succeed(view) : Effect.fail(view)
  }

/** The operations about the server over the service `Health`. */
export const layer = HttpApiBuilder.group(
  Api,
  "system",
  Effect.fnUntraced(function* (handlers) {
    const reading = yield* makeReading
    const prefix = yield* MountedAt
    return handlers
      .handle("health", () =>
        Effect.flatMap(
          reading,
          answerIf(({ isStoreUp }) => isStoreUp)
        )
      )
      .handle("ready", () => Effect.flatMap(reading, answerIf(isReady)))
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

/** Of whoever looks after a process nobody keeps a trace, not even of paths that are not there. */
const untraced = Effect.provideService(References.TracerEnabled, false)

const guardedHealth = HttpRouter.use((router) =>
  Effect.flatMap(FailureLog, (log) => {
    const guard = makeGuard(log, refuseUnknown)
    const whole = observeRequests(<E, R>(handled: Handled<E, R>) => guard(handled))
    return router.addGlobalMiddleware((handled) => untraced(whole(handled)))
  })
).pipe(Layer.provide(FailureLog.layer))

const healthReports = HttpRouter.use((router) =>
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
const healthRoutes = Layer.merge(healthReports, guardedHealth)

/** A server for whoever watches the process, with further routes. Its requests make no spans. */
export const serveHealth = <E = never, R = never>(more: Layer.Layer<never, E, R> = Layer.empty) =>
  HttpRouter.serve(Layer.merge(healthRoutes, more), {
    disableLogger: true,
    disableListenLog: true
  }).pipe(Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)))
