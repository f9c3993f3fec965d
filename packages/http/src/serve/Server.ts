/**
 * Provides the API as routes for a host's router, and as a server. The host provides the listener
 * and the services.
 */
import { Effect, Layer } from "effect"
import { HttpMiddleware, HttpRouter, type HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../contract/Api.ts"
import { ParameterRules } from "../contract/Parameters.ts"
import * as Authentication from "./auth/Authentication.ts"
import { Authenticator } from "./auth/Authentication.ts"
import * as Compression from "./edge/Compression.ts"
import { CrossOrigins, makeCrossOrigin } from "./edge/CrossOrigin.ts"
import { makeGuard } from "./edge/Edge.ts"
import { FailureLog } from "./edge/FailureLog.ts"
import { handleAlone, mount, type Prefix, routerConfig } from "./edge/Mount.ts"
import { observeRequests } from "./edge/RequestLogging.ts"
import * as McpRoute from "./mcp/McpRoute.ts"
import * as LabelHandlers from "./preset/LabelHandlers.ts"
import * as PresetHandlers from "./preset/PresetHandlers.ts"
import * as ResolutionHandlers from "./preset/ResolutionHandlers.ts"
import * as SpeechHandlers from "./SpeechHandlers.ts"
import * as Documents from "./system/Documents.ts"
import * as SystemHandlers from "./system/SystemHandlers.ts"
import * as CorrectionsHandlers from "./transcription/corrections/CorrectionsHandlers.ts"
import * as EventsHandlers from "./transcription/EventsHandlers.ts"
import * as JobsHandlers from "./transcription/JobsHandlers.ts"
import * as TranscriptionHandlers from "./transcription/TranscriptionHandlers.ts"
import * as UsageHandlers from "./UsageHandlers.ts"
import * as KeyHandlers from "./workspace/KeyHandlers.ts"
import * as WorkspaceHandlers from "./workspace/WorkspaceHandlers.ts"

const allHandlers = Layer.mergeAll(
  CorrectionsHandlers.layer,
  EventsHandlers.layer,
  JobsHandlers.layer,
  KeyHandlers.layer,
  LabelHandlers.layer,
  LabelHandlers.operatorLayer,
  PresetHandlers.layer,
  ResolutionHandlers.layer,
  SpeechHandlers.layer,
  SystemHandlers.layer,
  TranscriptionHandlers.layer,
  UsageHandlers.layer,
  WorkspaceHandlers.workLayer,
  WorkspaceHandlers.layer
).pipe(Layer.provide([Authentication.layer, ParameterRules.layer]))

type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/**
 * Wraps the router in all middleware. CORS headers are added outside the guard, so that pages can
 * read refusals too. Preflights get an id, a log line and a count, like any other request.
 */
const guarded = HttpRouter.use((router) =>
  Effect.flatMap(
    Effect.all([
      Compression.AnswerEncoding,
      CrossOrigins,
      FailureLog,
      PresetHandlers.makeDirectRoutes
    ]),
    ([encode, origins, log, answerDirectly]) => {
      const guard = makeGuard(log)
      const allowOrigins = makeCrossOrigin(origins)
      const whole = observeRequests(<E, R>(handled: Handled<E, R>) =>
        allowOrigins(encode(guard(answerDirectly(handled))))
      )
      return router.addGlobalMiddleware(whole)
    }
  )
).pipe(Layer.provide(Authentication.layer))

const application = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(Layer.provide(allHandlers)),
  Documents.layer,
  McpRoute.layer.pipe(Layer.provide(Authentication.layer)),
  guarded
).pipe(Layer.provide(FailureLog.layer))

export interface RouteOptions {
  /**
   * The path prefix that is reserved for the API. Without a prefix, the API has the same paths as
   * on our own server.
   */
  readonly prefix?: Prefix
}

/**
 * Adds all API routes to the host's router and leaves its other routes unchanged. The host provides
 * an `Authenticator` that identifies callers; `Authenticator.keys` identifies them by workspace
 * keys.
 */
export const routes = ({ prefix }: RouteOptions = {}) => mount(application, prefix)

/**
 * Builds a handler for a host without an Effect router. The host removes the prefix from the path.
 * The handler can be used until the scope ends. `first` sees requests before the application does.
 */
export const answer = <E = never, R = never>({
  first = Layer.empty as Layer.Layer<never, E, R>,
  prefix
}: RouteOptions & { readonly first?: Layer.Layer<never, E, R> } = {}) =>
  handleAlone(Layer.provide(application, first), prefix)

/** Services that our own server provides. A host that mounts the routes provides its own. */
const served = Layer.merge(Authenticator.keys, Compression.layer)

/**
 * Serves the API together with additional routes and with layers that see requests first. The
 * server traces and logs requests itself, because the platform's spans and log lines would include
 * the query of the URL.
 */
export const serve = <E, R, E2 = never, R2 = never>(
  more: Layer.Layer<never, E, R>,
  first: Layer.Layer<never, E2, R2> = Layer.empty as Layer.Layer<never, E2, R2>
) =>
  // This layer is built after the server and therefore closes before it. The order matters because
  // a closing server waits for its running requests.
  Layer.provideMerge(
    EventsHandlers.endStreams,
    // The router applies middleware in the order in which it was added.
    listen(Layer.provide(Layer.merge(Layer.provide(application, served), more), first))
  )

const listen = <E, R>(all: Layer.Layer<never, E, R>) =>
  HttpRouter.serve(all, {
    routerConfig,
    disableLogger: true,
    disableListenLog: true
  }).pipe(Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)))

/** Serves the API without additional routes. */
export const layer = serve(Layer.empty)
