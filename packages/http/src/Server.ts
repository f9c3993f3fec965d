/**
 * The API as routes, and as a server. What listens, and what the services are made of, is provided
 * by the host.
 */
import { Layer } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApiBuilder, HttpApiScalar } from "effect/http-api"
import { documentPaths } from "./Api.ts"
import { PresetAuthentication, TranscriptionAuthentication } from "./Authentication.ts"
import { described } from "./Description.ts"
import { around } from "./Edge.ts"
import * as PresetHandlers from "./preset/PresetHandlers.ts"
import { PresetParameterRules } from "./preset/PresetParameters.ts"
import * as SystemHandlers from "./system/SystemHandlers.ts"
import * as JobsHandlers from "./transcription/JobsHandlers.ts"
import * as TranscriptionHandlers from "./transcription/TranscriptionHandlers.ts"

const handlers = Layer.mergeAll(
  JobsHandlers.layer,
  PresetHandlers.layer,
  SystemHandlers.layer,
  TranscriptionHandlers.layer
).pipe(
  Layer.provide([
    PresetAuthentication.layer,
    PresetParameterRules.layer,
    TranscriptionAuthentication.layer
  ])
)

/** A page to read the description on. Its script is in it; it loads nothing from elsewhere. */
const page = HttpApiScalar.layer(described, {
  path: documentPaths.page,
  scalar: { withDefaultFonts: false }
})

/** Every route, for a router that the host may have other routes on. */
export const routes = Layer.mergeAll(
  HttpApiBuilder.layer(described, { openapiPath: documentPaths.openapi }).pipe(
    Layer.provide(handlers)
  ),
  page,
  HttpRouter.middleware(around, { global: true })
)

/**
 * How paths are read: exactly. A slug may be longer than the router expects of a parameter; its
 * length is judged by the service, and the whole line by the server.
 */
const routerConfig = {
  caseSensitive: true,
  ignoreDuplicateSlashes: false,
  maxParamLength: 65_536
} as const

/** The server over the services. Nothing is logged but what goes wrong. */
export const layer = HttpRouter.serve(routes, {
  routerConfig,
  disableLogger: true,
  disableListenLog: true
})
