/** The operations on presets with a direct route: presets laid under requests, and new versions. */
import { chatCompletions, messages, responses } from "@verbatim/core/request"
import { Presets } from "@verbatim/core/services"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { PresetApi } from "../../contract/preset/PresetApi.ts"
import { ResolutionApi } from "../../contract/preset/resolution/ResolutionApi.ts"
import { PresetAdmission } from "../auth/Authentication.ts"
import { makeCreate } from "../preset/PresetHandlers.ts"
import { makePin, makeResolve } from "../preset/resolution/ResolutionHandlers.ts"
import { besideRouter, type DirectRoute } from "./DirectRoute.ts"

type Request = HttpServerRequest.HttpServerRequest

/** What answers a request on a direct route; a request with a query goes to the router. */
type Handle = (asked: {
  readonly params: { readonly slug: string }
  readonly query: Readonly<Record<string, never>>
  readonly request: Request
}) => ReturnType<DirectRoute["answer"]>

const noQuery = {}

const toRoute =
  (group: DirectRoute["group"]) =>
  (endpoint: DirectRoute["endpoint"], handle: Handle): DirectRoute => ({
    group,
    endpoint,
    answer: (slug, request) => handle({ params: { slug }, query: noQuery, request })
  })

const ofPresets = toRoute(PresetApi)
const ofResolutions = toRoute(ResolutionApi)

const { createFromChatCompletions, createFromMessages, createFromResponses } = PresetApi.endpoints
const { pin, resolve } = ResolutionApi.endpoints

/** The paths of all direct routes. */
export const directPaths: ReadonlySet<string> = new Set(
  [createFromChatCompletions, createFromMessages, createFromResponses, pin, resolve].map(
    ({ path }) => path
  )
)

/** Makes the direct routes over the service `Presets`. */
export const make = Effect.gen(function* () {
  const presets = yield* Presets
  const { admit } = yield* PresetAdmission
  return besideRouter(
    [
      ofResolutions(resolve, makeResolve(presets)),
      ofResolutions(pin, makePin(presets)),
      ofPresets(createFromResponses, makeCreate(presets, responses)),
      ofPresets(createFromChatCompletions, makeCreate(presets, chatCompletions)),
      ofPresets(createFromMessages, makeCreate(presets, messages))
    ],
    admit
  )
})
