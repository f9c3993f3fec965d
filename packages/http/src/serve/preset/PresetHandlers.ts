/**
 * Handles the preset operations, with one service call each, and maps refusals to the wire.
 * Operations that write are raw, because the service decides when their bodies are read. `versions`
 * is raw too, because its text is streamed. The most frequent operations also have a direct route.
 */
import {
  type DesignatedPreset,
  type PresetAddress,
  type PresetPreview,
  toFullVersionView,
  toListedView,
  toVersionView,
  toView
} from "@verbatim/core/preset"
import { chatCompletions, messages, type RequestFormat, responses } from "@verbatim/core/request"
import { type CreatedPreset, Presets } from "@verbatim/core/services"
import { Context, Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiSecurity } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import { Caller } from "../../contract/Authentication.ts"
import {
  type PresetAnswer,
  type StagedAnswer,
  toDesignationView
} from "../../contract/preset/PresetAnswers.ts"
import { PresetApi } from "../../contract/preset/PresetApi.ts"
import {
  makeEntityTag,
  notKeptHeader,
  stagePreference
} from "../../contract/preset/PresetHeaders.ts"
import { type CreationQuery, toPage } from "../../contract/preset/PresetParameters.ts"
import {
  type PreviewAnswer,
  ResolutionApi,
  toPreviewView
} from "../../contract/preset/ResolutionApi.ts"
import { PresetAdmission } from "../auth/Authentication.ts"
import { toResponse } from "../body/StreamedAnswer.ts"
import { FailureLog } from "../edge/FailureLog.ts"
import { setRoute } from "../edge/Routes.ts"
import { answerRefusals, answerWriteRefusals } from "../Refusals.ts"
import {
  type Removal,
  readChange,
  readCreation,
  readDesignation,
  readRemoval,
  readVersionParts
} from "./PresetWrites.ts"
import { makePin, makeResolve } from "./ResolutionHandlers.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The parts that a handler reads of a request about one preset. */
interface PresetRequest {
  readonly params: { readonly slug: string }
  readonly request: Request
}

/** The parts that a raw handler reads of a create request. */
interface CreationRequest extends PresetRequest {
  readonly query: CreationQuery
}

/**
 * Responds with a preset and its entity tag, so that a change can be conditional on the tag. The
 * compiler checks the response against its schema, because encoding with the schema made version
 * creation 10 % slower.
 */
const answer = (found: DesignatedPreset, headers: Readonly<Record<string, string>> = {}) => {
  const body: typeof PresetAnswer.Type = { data: toView(found) }
  const etag = makeEntityTag(found.preset.designatedVersionId)
  return HttpServerResponse.jsonUnsafe(body, { headers: { etag, ...headers } })
}

const answerPreview = (preview: PresetPreview) => {
  const body: typeof PreviewAnswer.Type = { data: toPreviewView(preview) }
  return HttpServerResponse.jsonUnsafe(body)
}

type Result<Name extends keyof Presets["Service"]> = Presets["Service"][Name] extends (
  ...given: never
) => Effect.Effect<infer Success, unknown, unknown>
  ? Success
  : never

const toList = ({ presets, total }: Result<"list">) => ({
  data: presets.map(toListedView),
  total_count: total
})

const toHistory = ({ designations, total }: Result<"designations">) => ({
  data: designations.map(toDesignationView),
  total_count: total
})

/** Calls the service for one of the caller's presets. */
const callWith = <A, E, R>(slug: string, call: (named: PresetAddress) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Caller, (principal) => call({ principal, slug }))

/** Calls the service with a change, and responds with the changed preset. */
const changeWith = <Wanted, E, R>(
  { params: { slug }, request }: PresetRequest,
  read: (request: Request) => Wanted,
  call: (command: PresetAddress & Wanted) => Effect.Effect<DesignatedPreset, E, R>
) =>
  Effect.map(
    callWith(slug, (named) => call({ ...named, ...read(request) })),
    (found) => answer(found)
  )

/** Calls the service to remove something, with the request's precondition. */
const removeWith = <A, E, R>(
  { params: { slug }, request }: PresetRequest,
  call: (command: PresetAddress & Removal) => Effect.Effect<A, E, R>
) =>
  Effect.flatMap(readRemoval(request), (removal) =>
    callWith(slug, (named) => call({ ...named, ...removal }))
  )

/**
 * Responds with a new version. If the version is staged, the response also shows the designated
 * version.
 */
const makeVersionAnswer = (presets: Presets["Service"]) =>
  Effect.fnUntraced(function* (made: CreatedPreset, isPreferred = false) {
    const { preset, version: staged } = made
    const notKept = notKeptHeader(made.notKept)
    if (!made.isStaged) return answer(made, notKept)
    const version = yield* presets.findDesignated(preset)
    const body: typeof StagedAnswer.Type = {
      data: { ...toView({ preset, version }), staged_version: toVersionView(staged) }
    }
    const etag = makeEntityTag(preset.designatedVersionId)
    const applied = isPreferred ? { "preference-applied": stagePreference } : {}
    return HttpServerResponse.jsonUnsafe(body, { headers: { etag, ...applied, ...notKept } })
  })

/** Returns a factory for the handler that creates versions in one request format. */
const makeCreate = (format: RequestFormat) => (presets: Presets["Service"]) => {
  const answerVersion = makeVersionAnswer(presets)
  return ({ params: { slug }, query, request }: CreationRequest) =>
    Effect.gen(function* () {
      const principal = yield* Caller
      const { creation, isDry, isPreferred } = readCreation(request, { format, query })
      const command = { ...creation, principal, slug }
      if (isDry) return answerPreview(yield* presets.rehearse(command))
      return yield* answerVersion(yield* presets.create(command), isPreferred)
    }).pipe(answerWriteRefusals)
}

/** Creates the handler that creates a version from another one. */
const makeCreateFromVersion = (presets: Presets["Service"]) => {
  const answerVersion = makeVersionAnswer(presets)
  return ({ params: { slug }, request }: PresetRequest) =>
    callWith(slug, (named) =>
      Effect.flatMap(
        presets.createFromVersion({ ...named, ...readVersionParts(request) }),
        (made) => answerVersion(made)
      )
    ).pipe(answerWriteRefusals)
}

export const layer = HttpApiBuilder.group(
  Api,
  "presets",
  Effect.fnUntraced(function* (handlers) {
    const presets = yield* Presets
    const log = yield* FailureLog
    return handlers
      .handleRaw("createFromResponses", makeCreate(responses)(presets))
      .handleRaw("createFromChatCompletions", makeCreate(chatCompletions)(presets))
      .handleRaw("createFromMessages", makeCreate(messages)(presets))
      .handleRaw("createFromVersion", makeCreateFromVersion(presets))
      .handle("list", ({ query }) =>
        Effect.flatMap(Caller, (principal) =>
          presets.list(principal, { ...query, ...toPage(query) })
        ).pipe(Effect.map(toList), answerRefusals)
      )
      .handle("get", ({ params: { slug } }) =>
        callWith(slug, presets.get).pipe(Effect.map(answer), answerRefusals)
      )
      .handleRaw("revise", (call) =>
        changeWith(call, readChange, presets.revise).pipe(answerWriteRefusals)
      )
      .handleRaw("versions", ({ params: { slug }, query }) =>
        callWith(slug, (named) => presets.versionsText(named, toPage(query))).pipe(
          Effect.flatMap(toResponse(log)),
          answerRefusals
        )
      )
      .handle("version", ({ params: { slug, version } }) =>
        callWith(slug, (named) => presets.version(named, version)).pipe(
          Effect.map((found) => ({ data: toFullVersionView(found) })),
          answerRefusals
        )
      )
      .handleRaw("designate", (call) =>
        changeWith(call, readDesignation, presets.designate).pipe(answerWriteRefusals)
      )
      .handle("designations", ({ params: { slug }, query }) =>
        callWith(slug, (named) => presets.designations(named, toPage(query))).pipe(
          Effect.map(toHistory),
          answerRefusals
        )
      )
      .handle("diff", ({ params: { slug }, query }) =>
        callWith(slug, (named) => presets.diff(named, query)).pipe(
          Effect.map((data) => ({ data })),
          answerRefusals
        )
      )
      .handle("erase", (call) =>
        removeWith(call, (command) =>
          presets.erase({ ...command, version: call.params.version })
        ).pipe(
          Effect.map((erased) => ({ data: toFullVersionView(erased.version) })),
          answerWriteRefusals
        )
      )
      .handle("remove", (call) =>
        removeWith(call, presets.remove).pipe(Effect.asVoid, answerWriteRefusals)
      )
  })
)

type Handled<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const { createFromChatCompletions, createFromMessages, createFromResponses } = PresetApi.endpoints
const { pin, resolve } = ResolutionApi.endpoints

const ofPresets = { group: PresetApi }
const ofResolutions = { group: ResolutionApi }

/** The direct routes, each with a function that creates its handler. */
const direct = [
  { ...ofResolutions, endpoint: resolve, make: makeResolve },
  { ...ofResolutions, endpoint: pin, make: makePin },
  { ...ofPresets, endpoint: createFromResponses, make: makeCreate(responses) },
  { ...ofPresets, endpoint: createFromChatCompletions, make: makeCreate(chatCompletions) },
  { ...ofPresets, endpoint: createFromMessages, make: makeCreate(messages) }
] as const

/** The paths of all direct routes. */
export const directPaths: ReadonlySet<string> = new Set(direct.map(({ endpoint }) => endpoint.path))

const [before = ""] = resolve.path.split(":slug")

/** Matches a slug without escapes. The router handles all other slugs. */
const plainSlug = /^[A-Za-z0-9._~@-]+$/

const readKey = HttpApiBuilder.securityDecode(HttpApiSecurity.bearer)

/** Lists the direct routes by method and by the path after the slug. */
const listDirect = (presets: Presets["Service"]) =>
  new Map(
    direct.map(({ make, ...route }) => [
      route.endpoint.method + route.endpoint.path.split(":slug")[1],
      { ...route, handle: make(presets) }
    ])
  )

const findDirect = ({ method, url }: Request, routes: ReturnType<typeof listDirect>) => {
  if (!url.startsWith(before)) return undefined
  const end = url.indexOf("/", before.length)
  const route = end === -1 ? undefined : routes.get(method + url.slice(end))
  if (route === undefined) return undefined
  const slug = url.slice(before.length, end)
  return plainSlug.test(slug) ? { ...route, slug } : undefined
}

/**
 * Places the direct routes before a router that handles all other requests. The direct routes
 * handle `resolve`, `pin` and version creation without a query. The router would add 27 to 39 % to
 * the CPU time of the first two, which programs call for every model request, and 17 % to
 * that of version creation. Direct routes admit, measure and answer requests just as the router
 * does.
 */
export const makeDirectRoutes = Effect.map(
  Effect.all([Presets, PresetAdmission]),
  ([presets, { admit }]) => {
    const routes = listDirect(presets)
    return <E, R>(handled: Handled<E, R>): Handled<E, R | Request> =>
      Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const found = findDirect(request, routes)
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
        // If the client disconnects, the operation is interrupted, just as in the router.
        return Effect.interruptible(refused) as Handled<E, R | Request>
      })
  }
)
