/**
 * Answers the operations on presets in use. Those with a body are raw, because it is read within
 * the limits of bodies, and its numbers keep their digits.
 */
import type { PresetResolution } from "@verbatim/core/preset"
import { chatCompletions, messages, responses, toWireFormat } from "@verbatim/core/request"
import { ExactNumber, InvalidRequest } from "@verbatim/core/schema"
import { Presets } from "@verbatim/core/services"
import { formatOfRequest, type Json, type JsonObject } from "@verbatim/resolution"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../contract/Api.ts"
import { Caller } from "../../contract/Authentication.ts"
import { isNamedBy, makeEntityTag } from "../../contract/preset/PresetHeaders.ts"
import {
  toPinned,
  toPinView,
  toPreviewView,
  toTime,
  toWanted,
  type VersionQuery
} from "../../contract/preset/ResolutionApi.ts"
import { readBody } from "../body/Body.ts"
import { keepRoom } from "../body/HeldBodies.ts"
import { answerRefusals } from "../Refusals.ts"

type Side = "preset" | "request"

/** Texts of what presets say, each for as long as its object is there. Nobody changes these. */
const texts = new WeakMap<object, string>()

/** Writes a value of a preset. */
const writeKept = (value: Json): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const known = texts.get(value)
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  texts.set(value, text)
  return text
}

const write = (value: Json, side: Side | undefined): string =>
  side === "preset" ? writeKept(value) : JSON.stringify(value)

/** Names that need no escapes: nearly all. */
const plainName = /^[\w-]*$/

const writeName = (name: string): string =>
  plainName.test(name) ? `"${name}"` : JSON.stringify(name)

type WrittenParts = Pick<PresetResolution, "fields" | "request" | "tools">

/** United tools are a list of the request's, and yet most of them may be the preset's. */
const writeTools = (value: Json, { tools }: WrittenParts): string =>
  Array.isArray(value) && value.length === tools.length
    ? `[${value.map((tool, place) => write(tool, tools[place]?.from)).join(",")}]`
    : JSON.stringify(value)

const writeRequest = (written: WrittenParts): string => {
  const { fields, request } = written
  let text = ""
  for (const [name, value] of Object.entries(request)) {
    const said =
      name === "tools" ? writeTools(value, written) : write(value, fields.get(name)?.from)
    text += `${text === "" ? "" : ","}${writeName(name)}:${said}`
  }
  return `{${text}}`
}

const writeFields = ({ fields }: WrittenParts): string => {
  let text = ""
  for (const [name, { from }] of fields) {
    text += `${text === "" ? "" : ","}${writeName(name)}:"${from}"`
  }
  return `{${text}}`
}

const writeProvenance = (resolution: PresetResolution): string => {
  const { systemPrompt, tools } = resolution
  const sides = tools.map(({ from }) => `"${from}"`).join(",")
  const prompt = systemPrompt === null ? "null" : `"${systemPrompt.from}"`
  return `{"fields":${writeFields(resolution)},"tools":[${sides}],"system_prompt":${prompt}}`
}

/** Writes the answer to a resolution: the text of `ResolutionAnswer`. */
export const writeResolution = (resolution: PresetResolution): string =>
  `{"data":{"request":${writeRequest(resolution)},` +
  `"format":${JSON.stringify(toWireFormat(resolution.format))},` +
  `"preset":${JSON.stringify(toPinned(resolution.preset))},` +
  `"provenance":${writeProvenance(resolution)},` +
  `"left_out":${JSON.stringify(resolution.leftOut)}}}`

type Request = HttpServerRequest.HttpServerRequest

const noObject = new InvalidRequest({ problems: [{ path: "", rule: "must be an object" }] })

/** A parsed body is JSON in any case. */
const isObject = (body: unknown): body is JsonObject =>
  typeof body === "object" && body !== null && !Array.isArray(body) && !ExactNumber.isExact(body)

/** 32 MiB: what endpoints of inference take, files included. */
const requestMax = 33_554_432

/** A request of any format, which nobody judges here: its endpoint will. */
const withRequest = <A, E, R>(
  request: Request,
  use: (body: JsonObject) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | InvalidRequest, R> =>
  keepRoom(
    request,
    Effect.flatMap(
      readBody(request, requestMax),
      (body): Effect.Effect<A, E | InvalidRequest, R> =>
        isObject(body) ? use(body) : Effect.fail(noObject)
    )
  )

const formats = { responses, chatCompletions, messages }

const answer = (resolution: PresetResolution) =>
  HttpServerResponse.text(writeResolution(resolution), { contentType: "application/json" })

/** What a raw handler reads of a request about a preset in use. */
interface UseRequest {
  readonly params: { readonly slug: string }
  readonly query: VersionQuery
  readonly request: Request
}

/** Answers with the version that is meant. */
export const makePin =
  (presets: Presets["Service"]) =>
  ({ params: { slug }, query, request }: UseRequest) =>
    Effect.gen(function* () {
      const principal = yield* Caller
      const isKnown = yield* Effect.fromResult(isNamedBy(request.headers))
      const pinned = yield* presets.pin({ principal, ...toWanted(slug, query) })
      const headers = { etag: makeEntityTag(pinned.version.id) }
      return isKnown(pinned.version.id)
        ? HttpServerResponse.empty({ status: 304, headers })
        : HttpServerResponse.jsonUnsafe({ data: toPinView(pinned) }, { headers })
    }).pipe(answerRefusals)

/** Answers with a request laid over a preset. */
export const makeResolve =
  (presets: Presets["Service"]) =>
  ({ params: { slug }, query, request }: UseRequest) =>
    // Without a generator: programs ask it with each of their own requests.
    withRequest(request, (body) =>
      Effect.flatMap(Caller, (principal) =>
        Effect.map(presets.resolve({ principal, ...toWanted(slug, query) }, body), answer)
      )
    ).pipe(answerRefusals)

/** The operations over the service `Presets`. */
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
            return answer(yield* presets.resolveNamed({ principal, ...toTime(query) }, body))
          })
        ).pipe(answerRefusals)
      )
      .handleRaw("preview", ({ query, request }) =>
        withRequest(request, (body) =>
          Effect.gen(function* () {
            const principal = yield* Caller
            const { format = formatOfRequest(body) } = toTime(query)
            const told = yield* presets.previewAgainst({
              principal,
              slug: query.slug,
              format: formats[format],
              body: Effect.succeed(body)
            })
            return HttpServerResponse.jsonUnsafe({ data: toPreviewView(told) })
          })
        ).pipe(answerRefusals)
      )
  })
)
