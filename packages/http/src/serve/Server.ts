/**
 * The API as routes, and as a server. What listens, and what the services are made of, is provided
 * by the host.
 */
import { Effect, Layer } from "effect"
import { HttpMiddleware, HttpRouter, type HttpServerResponse } from "effect/http"
import { type HttpApi, HttpApiBuilder, type HttpApiGroup } from "effect/http-api"
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
import * as LabelHandlers from "./preset/LabelHandlers.ts"
import * as LabelProtectionHandlers from "./preset/LabelHandlers.ts"
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
import * as WorkHandlers from "./workspace/WorkspaceHandlers.ts"
import * as WorkspaceHandlers from "./workspace/WorkspaceHandlers.ts"

/** The handlers of every group, over the services and `Authenticator`. */
const allHandlers = Layer.mergeAll(
  CorrectionsHandlers.layer,
  EventsHandlers.layer,
  JobsHandlers.layer,
  KeyHandlers.layer,
  LabelHandlers.layer,
  LabelProtectionHandlers.operatorLayer,
  PresetHandlers.layer,
  ResolutionHandlers.layer,
  SpeechHandlers.layer,
  SystemHandlers.layer,
  TranscriptionHandlers.layer,
  UsageHandlers.layer,
  WorkHandlers.workLayer,
  WorkspaceHandlers.layer
).pipe(Layer.provide([Authentication.layer, ParameterRules.layer]))

type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/**
 * What a browser needs to be told stands around what refuses: its page has to see refusals as well.
 * Its preflights have an id, a line and a count as everything that is answered.
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

/** All of it, for a router that is its own. */
const application = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(Layer.provide(allHandlers)),
  Documents.layer,
  guarded
).pipe(Layer.provide(FailureLog.layer))

type Groups = (typeof Api)["groups"][keyof (typeof Api)["groups"]]

/**
 * The handlers for an API of a host that has ours among its groups. Its requests are guarded,
 * measured and described by the host: `routes` does that for ours.
 */
export const handlers = <Id extends string, More extends HttpApiGroup.Constraint>(
  _api: HttpApi.HttpApi<Id, More>
): Layer.Layer<
  HttpApiGroup.ToService<Id, Groups>,
  Layer.Error<typeof allHandlers>,
  Exclude<Layer.Services<typeof allHandlers>, FailureLog>
> =>
  // A group is found by its own name alone: the id of its API is in the type, and nowhere else.
  Layer.provide(allHandlers, FailureLog.layer) as Layer.Layer<
    HttpApiGroup.ToService<Id, Groups>,
    Layer.Error<typeof allHandlers>,
    Exclude<Layer.Services<typeof allHandlers>, FailureLog>
  >

/** How the API stands beside a host's own routes. */
export interface RouteOptions {
  /** The folder that is ours alone; without one, our paths are those of a server of our own. */
  readonly prefix?: Prefix
}

/**
 * Every route, for a router on which the host has routes of its own. They stay as they are. Who
 * calls is what the host's `Authenticator` says; `Authenticator.keys` are the keys of a workspace.
 */
export const routes = ({ prefix }: RouteOptions = {}) => mount(application, prefix)

/**
 * What answers a request, for a host whose router is not of Effect: with the prefix taken away from
 * its path. Built once, and there until the scope ends. `first` sees requests before ours does.
 */
export const answer = <E = never, R = never>({
  first = Layer.empty as Layer.Layer<never, E, R>,
  prefix
}: RouteOptions & { readonly first?: Layer.Layer<never, E, R> } = {}) =>
  handleAlone(Layer.provide(application, first), prefix)

/** What our own server has that a host has its own of. */
const served = Layer.merge(Authenticator.keys, Compression.layer)

/**
 * The server over the services, with further routes, and with what sees requests before anything of
 * ours does. They are observed by ourselves: the platform's own spans and lines would show the
 * query of a URL.
 */
export const serve = <E, R, E2 = never, R2 = never>(
  more: Layer.Layer<never, E, R>,
  first: Layer.Layer<never, E2, R2> = Layer.empty as Layer.Layer<never, E2, R2>
) =>
  // Built after the server, so it ends before: the server waits for whatever runs.
  Layer.provideMerge(
    EventsHandlers.endStreams,
    // A router has its middleware in the order in which it was added.
    listen(Layer.provide(Layer.merge(Layer.provide(application, served), more), first))
  )

const listen = <E, R>(all: Layer.Layer<never, E, R>) =>
  HttpRouter.serve(all, {
    routerConfig,
    disableLogger: true,
    disableListenLog: true
  }).pipe(Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)))

/** The same without others. */
export const layer = serve(Layer.empty)
