/**
 * Direct routes: preset operations that programs call with each of their own requests are answered
 * without the router. They are described, admitted, measured and answered like all operations; what
 * the router would read again from each request is known from its path.
 */
import { chatCompletions, messages, responses } from "@verbatim/core/request"
import { Presets } from "@verbatim/core/services"
import { Context, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, type HttpApiEndpoint, HttpApiSecurity } from "effect/http-api"
import type { Caller, Sender } from "../../contract/Authentication.ts"
import type { PresetError } from "../../contract/Errors.ts"
import { PresetApi } from "../../contract/preset/PresetApi.ts"
import { ResolutionApi } from "../../contract/preset/ResolutionApi.ts"
import { type Admit, type Operation, PresetAdmission } from "../auth/Authentication.ts"
import { setRoute } from "../edge/Routes.ts"
import { makeCreate } from "./PresetHandlers.ts"
import { makePin, makeResolve } from "./ResolutionHandlers.ts"

type Request = HttpServerRequest.HttpServerRequest
type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** An operation on what one slug names, and what answers a request without a query. */
export interface DirectRoute {
  readonly group: Operation["group"]
  readonly endpoint: Operation["endpoint"] & Pick<HttpApiEndpoint.Top, "path">
  readonly answer: (
    slug: string,
    request: Request
  ) => Handled<PresetError, Caller | Request | Sender>
}

/** The parameter in the path of a direct route. */
const parameter = ":slug"

/** A slug that is written as it is meant. The router reads all others. */
const plainSlug = /^[A-Za-z0-9._~@-]+$/

/** Direct routes by the method and by what follows the slug; all of them begin alike. */
interface KnownRoutes {
  readonly before: string
  readonly byRest: ReadonlyMap<string, DirectRoute>
}

const toKnown = (routes: ReadonlyArray<DirectRoute>): KnownRoutes => {
  const [before = ""] = (routes[0]?.endpoint.path ?? "").split(parameter)
  return {
    before,
    byRest: new Map(
      routes.map((route) => [
        route.endpoint.method + route.endpoint.path.slice(before.length + parameter.length),
        route
      ])
    )
  }
}

/** Finds the direct route of a request and the slug that it names. */
const findRoute = ({ before, byRest }: KnownRoutes, { method, url }: Request) => {
  if (!url.startsWith(before)) return undefined
  const end = url.indexOf("/", before.length)
  const route = end === -1 ? undefined : byRest.get(method + url.slice(end))
  if (route === undefined) return undefined
  const slug = url.slice(before.length, end)
  return plainSlug.test(slug) ? { route, slug } : undefined
}

const readKey = HttpApiBuilder.securityDecode(HttpApiSecurity.bearer)

const toRefusal = (error: PresetError): Handled<never, never> =>
  Effect.succeed(HttpServerResponse.jsonUnsafe(error, { status: error.error.code }))

/** Puts direct routes beside a router that handles all other requests. */
const besideRouter = (routes: ReadonlyArray<DirectRoute>, admit: Admit) => {
  const known = toKnown(routes)
  return <E, R>(handled: Handled<E, R>): Handled<E, R | Request> =>
    Effect.withFiber((fiber) => {
      const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const found = findRoute(known, request)
      if (found === undefined) return handled
      const { route, slug } = found
      const { endpoint, group } = route
      setRoute(request, endpoint.path)
      const admitted = Effect.flatMap(readKey, (credential) =>
        admit(
          { credential, endpoint, group, label: undefined, request },
          Effect.suspend(() => route.answer(slug, request))
        )
      )
      // As in the router, a client that goes away interrupts its operation.
      return Effect.interruptible(Effect.catch(admitted, toRefusal)) as Handled<E, R | Request>
    })
}

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
