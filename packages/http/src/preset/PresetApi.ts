/**
 * The preset operations as values: paths, bodies, answers and errors.
 */
import { PresetView } from "@verbatim/core/preset/PresetView"
import { ResponsesRequest } from "@verbatim/core/preset/ResponsesRequest"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { PresetAuthentication } from "../Authentication.ts"
import { PresetErrors } from "../ErrorBody.ts"

/** The answer that holds one preset with its designated version. */
export const PresetAnswer = Schema.Struct({
  data: PresetView.annotate({ identifier: "Preset" })
}).annotate({ identifier: "PresetAnswer" })

/** Judged by the service, in its turn: who may not write learns nothing about a slug. */
const params = {
  slug: Schema.String.annotate({
    description: "The name of the preset: 1 to 255 of `A-Z a-z 0-9 . _ ~ -`, case-sensitive."
  })
}

const createFromResponses = HttpApiEndpoint.post(
  "createFromResponses",
  "/v1/presets/:slug/responses",
  {
    params,
    headers: {
      "x-session-id": Schema.optionalKey(
        Schema.String.annotate({
          description: "Not kept; held to 256 characters when the body has no `session_id`."
        })
      )
    },
    payload: ResponsesRequest,
    success: PresetAnswer,
    error: [
      PresetErrors[400],
      PresetErrors[403],
      PresetErrors[404],
      PresetErrors[409],
      PresetErrors[500]
    ]
  }
).annotateMerge(
  OpenApi.annotations({
    summary: "Create a preset, or a version of it, from the body of a Responses-style request",
    description:
      "Stores the fields that a preset keeps as the next version of the preset, which is created " +
      "when there is none. The new version is the designated one. Needs a management key."
  })
)

const get = HttpApiEndpoint.get("get", "/v1/presets/:slug", {
  params,
  success: PresetAnswer,
  error: [PresetErrors[400], PresetErrors[404], PresetErrors[500]]
}).annotateMerge(OpenApi.annotations({ summary: "Read a preset with its designated version" }))

/** Versioned presets. */
export const PresetApi = HttpApiGroup.make("presets")
  .add(createFromResponses, get)
  .middleware(PresetAuthentication)
  .annotateMerge(OpenApi.annotations({ title: "Presets", description: "Versioned presets." }))
