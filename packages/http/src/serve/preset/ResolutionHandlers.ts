/**
 * Handles the resolution operations. Operations with a body are raw, because our own reader limits
 * the body and keeps the digits of its numbers.
 */
import type { PresetResolution } from "@verbatim/core/preset"
import { chatCompletions, messages, responses, toWireFormat } from "@verbatim/core/request"
import { ExactNumber, InvalidRequest } from "@verbatim/core/schema"
import { Presets } from "@verbatim/core/services"
import { formatOfRequest, type JsonObject } from "@verbatim/resolution"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import { Caller } from "../../contract/Authentication.ts"
import { isNamedBy, makeEntityTag } from "../../contract/preset/PresetHeaders.ts"
import {
  type ResolutionView,
  toPinned,
  toPinView,
  toPreviewView,
  toReference,
  toTime,
  type VersionQuery
} from "../../contract/preset/ResolutionApi.ts"
import { readBody } from "../body/Body.ts"
import { keepBudget } from "../body/BodyBudget.ts"
import { note } from "../edge/RequestLogging.ts"
import { answerRefusals } from "../Refusals.ts"

/**
 * Converts a resolution to its view. The compiler checks the view against its schema, because
 * encoding with the schema is slower.
 */
const toResolutionView = (resolution: PresetResolution): typeof ResolutionView.Type => ({
  request: resolution.request,
  format: toWireFormat(resolution.format),
  preset: toPinned(resolution.preset),
  provenance: {
    fields: Object.fromEntries(Array.from(resolution.fields, ([name, { from }]) => [name, from])),
    tools: resolution.tools.map(({ from }) => from),
    system_prompt: resolution.systemPrompt?.from ?? null
  },
  left_out: resolution.leftOut
})

type Request = HttpServerRequest.HttpServerRequest

const noObject = new InvalidRequest({ problems: [{ path: "", rule: "must be an object" }] })

/** Whether a parsed body, which is always JSON, is an object. */
const isObject = (body: unknown): body is JsonObject =>
  typeof body === "object" && body !== null && !Array.isArray(body) && !ExactNumber.isExact(body)

/**
 * A request to resolve has at most 32 MiB. Inference endpoints have the same limit, including
 * files.
 */
const requestMax = 33_554_432

/**
 * Reads a request in any format. The request is validated only by the endpoint that receives it.
 */
const withRequest = <A, E, R>(
  request: Request,
  use: (body: JsonObject) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | InvalidRequest, R> =>
  keepBudget(
    request,
    Effect.flatMap(
      readBody(request, requestMax),
      (body): Effect.Effect<A, E | InvalidRequest, R> =>
        isObject(body) ? use(body) : Effect.fail(noObject)
    )
  )

const formats = { responses, chatCompletions, messages }

const answer = (resolution: PresetResolution) =>
  Effect.as(
    note({ preset: resolution.preset }),
    HttpServerResponse.jsonUnsafe({ data: toResolutionView(resolution) })
  )

/** The parts that a raw handler reads of a request to resolve. */
interface UseRequest {
  readonly params: { readonly slug: string }
  readonly query: VersionQuery
  readonly request: Request
}

/** Creates the handler that responds with the resolved version. */
export const makePin =
  (presets: Presets["Service"]) =>
  ({ params: { slug }, query, request }: UseRequest) =>
    Effect.gen(function* () {
      const principal = yield* Caller
      const isKnown = yield* Effect.fromResult(isNamedBy(request.headers))
      const pinned = yield* presets.pin({ principal, ...toReference(slug, query) })
      const headers = { etag: makeEntityTag(pinned.version.id) }
      return isKnown(pinned.version.id)
        ? HttpServerResponse.empty({ status: 304, headers })
        : HttpServerResponse.jsonUnsafe({ data: toPinView(pinned) }, { headers })
    }).pipe(answerRefusals)

/** Creates the handler that resolves a request with a preset. */
export const makeResolve =
  (presets: Presets["Service"]) =>
  ({ params: { slug }, query, request }: UseRequest) =>
    // Avoids a generator for speed, because programs call this operation for every model request.
    withRequest(request, (body) =>
      Effect.flatMap(Caller, (principal) =>
        Effect.flatMap(presets.resolve({ principal, ...toReference(slug, query) }, body), answer)
      )
    ).pipe(answerRefusals)

export const layer = HttpApiBuilder.group(
  Api,
  "resolutions",
  Effect.fnUntraced(function* (handlers) {
    const presets = yield* Presets
    return handlers
      .handleRaw("pin", makePin(presets))
      .handleRaw("resolve", makeResolve(presets))
      .handleRaw("resolveNamed", ({ query, request }) =>
        withRequest(request, (body) =>
          Effect.gen(function* () {
            const principal = yield* Caller
            return yield* answer(yield* presets.resolveNamed({ principal, ...toTime(query) }, body))
          })
        ).pipe(answerRefusals)
      )
      .handleRaw("preview", ({ query, request }) =>
        withRequest(request, (body) =>
          Effect.gen(function* () {
            const principal = yield* Caller
            const { format = formatOfRequest(body) } = toTime(query)
            const previewed = yield* presets.previewAgainst({
              principal,
              slug: query.slug,
              format: formats[format],
              body: Effect.succeed(body)
            })
            return HttpServerResponse.jsonUnsafe({ data: toPreviewView(previewed) })
          })
        ).pipe(answerRefusals)
      )
  })
)
