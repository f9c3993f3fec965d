/**
 * `resolve`, `pin` and creations are answered without the router when they have no query. The
 * router adds 27 to 39 % to the processor time of the first two, which programs call with each of
 * their own requests, and 17 % to a creation's. They are admitted, measured and answered like all
 * operations; what the router would read again is in their path.
 */
import { chatCompletions, messages, responses } from "@verbatim/core/request"
import { Presets } from "@verbatim/core/services"
import { Context, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiSecurity } from "effect/http-api"
import { PresetApi } from "../../contract/preset/PresetApi.ts"
import { ResolutionApi } from "../../contract/preset/ResolutionApi.ts"
import { PresetAdmission } from "../auth/Authentication.ts"
import { setRoute } from "../edge/Routes.ts"
import { makeCreate } from "./PresetHandlers.ts"
import { makePin, makeResolve } from "./ResolutionHandlers.ts"

type Request = HttpServerRequest.HttpServerRequest
type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const { createFromChatCompletions, createFromMessages, createFromResponses } = PresetApi.endpoints
const { pin, resolve } = ResolutionApi.endpoints

/** The paths of all direct routes. */
export const directPaths: ReadonlySet<string> = new Set(
  [createFromChatCompletions, createFromMessages, createFromResponses, pin, resolve].map(
    ({ path }) => path
  )
)

const [before = ""] = resolve.path.split(":slug")

/** A slug that is written as it is meant. The router reads all others. */
const plainSlug = /^[A-Za-z0-9._~@-]+$/

const readKey = HttpApiBuilder.securityDecode(HttpApiSecurity.bearer)

/** Puts the direct routes next to a router that handles all other requests. */
export const make = Effect.gen(function* () {
  const presets = yield* Presets
  const { admit } = yield* PresetAdmission
  const ofPresets = { group: PresetApi }
  const ofResolutions = { group: ResolutionApi }
  const known = [
    { ...ofResolutions, endpoint: resolve, handle: makeResolve(presets) },
    { ...ofResolutions, endpoint: pin, handle: makePin(presets) },
    { ...ofPresets, endpoint: createFromResponses, handle: makeCreate(presets, responses) },
    {
      ...ofPresets,
      endpoint: createFromChatCompletions,
      handle: makeCreate(presets, chatCompletions)
    },
    { ...ofPresets, endpoint: createFromMessages, handle: makeCreate(presets, messages) }
  ] as const
  // By the method and by what follows the slug.
  const routes = new Map(
    known.map((route) => [route.endpoint.method + route.endpoint.path.split(":slug")[1], route])
  )

  const findRoute = ({ method, url }: Request) => {
    if (!url.startsWith(before)) return undefined
    const end = url.indexOf("/", before.length)
    const route = end === -1 ? undefined : routes.get(method + url.slice(end))
    if (route === undefined) return undefined
    const slug = url.slice(before.length, end)
    return plainSlug.test(slug) ? { ...route, slug } : undefined
  }

  return <E, R>(handled: Handled<E, R>): Handled<E, R | Request> =>
    Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const found = findRoute(request)
      if (found === undefined) return handled
      const { endpoint, group, handle, slug } = found
      setRoute(request, endpoint.path)
      const answered = Effect.suspend(() => handle({ params: { slug }, query: {}, request }))
      const operation = { endpoint, group, label: undefined, request }
      const admitted = Effect.flatMap(readKey, (credential) =>
        admit({ ...operation, credential }, answered)
      )
      const refused = Effect.catch(admitted, (error) =>
        Effect.succeed(HttpServerResponse.jsonUnsafe(error, { status: error.error.code }))
      )
      // As in the router, a client that goes away interrupts its operation.
      return Effect.interruptible(refused) as Handled<E, R | Request>
    })
})
