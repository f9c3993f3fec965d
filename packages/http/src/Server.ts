/**
 * The API as routes, and as a server. What listens, and what the services are made of, is provided
 * by the host.
 */
import { Effect, Layer } from "effect"
import { HttpMiddleware, HttpRouter, type HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { CrossOrigins, makeCrossOrigin } from "./CrossOrigin.ts"
import { DescribedApi } from "./Description.ts"
import { makeGuard } from "./Edge.ts"
import * as FailureAnswers from "./FailureAnswers.ts"
import { FailureLog } from "./FailureLog.ts"
import * as KeyAuthentication from "./KeyAuthentication.ts"
import { measure } from "./metrics/Measuring.ts"
import { observe } from "./Observation.ts"
import * as PresetHandlers from "./preset/PresetHandlers.ts"
import { PresetParameterRules } from "./preset/PresetParameters.ts"
import * as Documents from "./system/Documents.ts"
import * as SystemHandlers from "./system/SystemHandlers.ts"
import * as JobsHandlers from "./transcription/JobsHandlers.ts"
import * as TranscriptionHandlers from "./transcription/TranscriptionHandlers.ts"
import * as UsageHandlers from "./usage/UsageHandlers.ts"
import * as KeyHandlers from "./workspace/KeyHandlers.ts"
import * as WorkspaceHandlers from "./workspace/WorkspaceHandlers.ts"
import { WorkspaceParameterRules } from "./workspace/WorkspaceParameters.ts"

const handlers = Layer.mergeAll(
  JobsHandlers.layer,
  KeyHandlers.layer,
  PresetHandlers.layer,
  SystemHandlers.layer,
  TranscriptionHandlers.layer,
  UsageHandlers.layer,
  WorkspaceHandlers.layer
).pipe(
  Layer.provide([
    FailureAnswers.layer,
    KeyAuthentication.layer,
    PresetParameterRules.layer,
    WorkspaceParameterRules.layer
  ])
)

type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/**
 * What a browser needs to be told stands around what refuses: its page has to see refusals as well.
 * Its preflights have an id, a line and a count as everything that is answered.
 */
const guarded = HttpRouter.use((router) =>
  Effect.flatMap(Effect.all([CrossOrigins, FailureLog]), ([origins, log]) => {
    const guard = makeGuard(log)
    const tell = makeCrossOrigin(origins)
    const whole = measure(<E, R>(handled: Handled<E, R>) => observe(tell(guard(handled))))
    return router.addGlobalMiddleware(whole)
  })
)

/** Every route, for a router on which the host may have routes of its own. */
export const routes = Layer.mergeAll(
  HttpApiBuilder.layer(DescribedApi).pipe(Layer.provide(handlers)),
  Documents.layer,
  guarded
).pipe(Layer.provide(FailureLog.layer))

/**
 * Paths are read exactly. A slug may be longer than the router's default for a parameter: the
 * service judges its length, and the server that of the whole request line.
 */
const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  maxParamLength: 65_536
} as const

/**
 * The server over the services, with further routes. Its requests are observed by ourselves: the
 * platform's own spans and lines would show the query of a URL.
 */
export const serve = <E, R>(more: Layer.Layer<never, E, R>) =>
  HttpRouter.serve(Layer.merge(routes, more), {
    routerConfig,
    disableLogger: true,
    disableListenLog: true
  }).pipe(Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)))

/** The same without others. */
export const layer = serve(Layer.empty)
