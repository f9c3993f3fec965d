/**
 * Presets in use, as operations: what a reference means, and the request that is meant.
 */
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PresetAuthentication, Reads, Resource } from "../../Authentication.ts"
import { PresetErrors } from "../../ErrorBody.ts"
import { describe } from "../../OperationDescription.ts"
import { readConditions } from "../PresetConditions.ts"
import { requests } from "../PresetExamples.ts"
import { PresetParameterRules, presetParams } from "../PresetParameters.ts"
import { PinAnswer, PreviewAnswer, ResolutionAnswer } from "./ResolutionAnswers.ts"
import { namedQuery, pinQuery, previewQuery, resolveQuery } from "./ResolutionParameters.ts"

/** The errors of operations that read a preset which must be active, besides 401. */
const errors = [PresetErrors[400], PresetErrors[404], PresetErrors[409], PresetErrors[500]] as const

/** A request in any format. */
const AnyRequest = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "AnyRequest",
  description: "Its `variables`, texts by name, are the values of `{{name}}` in the system prompt.",
  examples: [requests.responses]
})

const NamingRequest = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "NamingRequest",
  description:
    "Names its preset in `preset`, in `model` after `@preset/`, or as the `id` and `version` of " +
    "`prompt`. Values of variables stand in `variables`, or in those of `prompt`.",
  examples: [{ model: "@preset/support-bot@production", input: "Hello" }]
})

const whichVersion =
  "The designated version is meant, unless the query names another one; the name of the preset " +
  "may also end in `@3`, a version, or in `@production`, a label."

const pin = HttpApiEndpoint.get("pin", "/v1/presets/:slug/pin", {
  params: presetParams,
  query: pinQuery,
  headers: readConditions,
  success: [
    PinAnswer,
    HttpApiSchema.Empty(304).annotate({ description: "The version is the one that was named." })
  ],
  error: errors
}).annotateMerge(
  describe(
    "Read the version that is meant",
    whichVersion,
    "For programs that lay requests over it themselves: the content of a version never changes."
  )
)

const resolve = HttpApiEndpoint.post("resolve", "/v1/presets/:slug/resolve", {
  params: presetParams,
  query: resolveQuery,
  payload: AnyRequest,
  success: ResolutionAnswer,
  error: errors
}).annotateMerge(
  describe(
    "Lay a request over a preset",
    whichVersion,
    "The request wins, field by field; tools are united. The answer is in the format of the",
    "request, which may have 32 MiB, files included, and is not sent anywhere. Each `{{name}}` in",
    "the system prompt of the preset takes its value from `variables` of the request, which are no",
    "part of the answer."
  )
)

const resolveNamed = HttpApiEndpoint.post("resolveNamed", "/v1/resolve", {
  query: namedQuery,
  payload: NamingRequest,
  success: ResolutionAnswer,
  error: errors
}).annotateMerge(
  describe(
    "Lay a request over the preset that it names",
    "In its `preset`, as `notes`, `notes@3` or `notes@production`, or in its `model`, as",
    "`@preset/notes` or `some/model@preset/notes`; or in the form of stored prompts, as",
    '`"prompt": { "id": "notes", "version": "3", "variables": { "name": "Ann" } }`, unless the id',
    "begins with `pmpt_`. The reference is no part of the answer."
  )
)

const preview = HttpApiEndpoint.post("preview", "/v1/presets/preview", {
  query: previewQuery,
  payload: AnyRequest,
  success: PreviewAnswer,
  error: [PresetErrors[400], PresetErrors[409], PresetErrors[500]]
}).annotateMerge(
  describe(
    "Tell what a request would become",
    "Which of its fields a preset would keep, and what would change of the preset that is named.",
    "With `variables`, also the system prompt that they make. Nothing is stored."
  )
)

/** Presets in use. Nothing of it writes. */
export const ResolutionApi = HttpApiGroup.make("resolutions")
  .add(pin, preview, resolve, resolveNamed)
  .middleware(PresetParameterRules)
  .middleware(PresetAuthentication)
  .annotate(Resource, "presets")
  .annotate(Reads, true)
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })
  .annotateMerge(
    OpenApi.annotations({ title: "Resolutions", description: "Presets laid under requests." })
  )
