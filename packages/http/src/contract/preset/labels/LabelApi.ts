/**
 * The operations on labels as values: the labels of a preset, and which of them are protected in
 * the workspace of the key.
 */
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { LabelScopeRole, PresetAuthentication, Resource } from "../../Authentication.ts"
import { PresetErrors } from "../../ErrorBody.ts"
import { describe } from "../../OperationDescription.ts"
import { readErrors, writeErrors } from "../OperationErrors.ts"
import { LabelBody } from "../PresetBodies.ts"
import { labelConditions } from "../PresetConditions.ts"
import { PresetParameterRules, pageQuery, presetParams } from "../PresetParameters.ts"
import {
  LabelAnswer,
  LabelList,
  LabelMovePage,
  MovedLabelAnswer,
  ProtectionList
} from "./LabelAnswers.ts"
import { labelParams, protectionParams } from "./LabelParameters.ts"

const empty = (description: string) => HttpApiSchema.NoContent.annotate({ description })

const whoMoves =
  "Needs a management key; where the label is protected, one with the scope `labels:<name>`."

const list = HttpApiEndpoint.get("list", "/v1/presets/:slug/labels", {
  params: presetParams,
  success: LabelList,
  error: readErrors
}).annotateMerge(describe("List the labels of a preset", "By name, at most 50."))

const get = HttpApiEndpoint.get("get", "/v1/presets/:slug/labels/:label", {
  params: labelParams,
  success: LabelAnswer,
  error: readErrors
}).annotateMerge(describe("Read where a label points", "And since when."))

const move = HttpApiEndpoint.put("move", "/v1/presets/:slug/labels/:label", {
  params: labelParams,
  headers: labelConditions,
  payload: LabelBody,
  success: MovedLabelAnswer,
  error: writeErrors
})
  .annotateMerge(
    describe(
      "Point a label to a version",
      "Makes the label where there is none. Pointing it to where it points changes nothing.",
      whoMoves
    )
  )
  .annotate(LabelScopeRole, "Beside")

const remove = HttpApiEndpoint.delete("remove", "/v1/presets/:slug/labels/:label", {
  params: labelParams,
  headers: labelConditions,
  success: empty("The label is removed."),
  error: writeErrors
})
  .annotateMerge(describe("Remove a label from a preset", "Its history stays.", whoMoves))
  .annotate(LabelScopeRole, "Beside")

const moves = HttpApiEndpoint.get("moves", "/v1/presets/:slug/labels/:label/moves", {
  params: labelParams,
  query: pageQuery,
  success: LabelMovePage,
  error: readErrors
})
  .middleware(PresetParameterRules)
  .annotateMerge(
    describe(
      "Read who moved a label when",
      "In the order in which it happened; also of a label that was removed."
    )
  )

const listProtected = HttpApiEndpoint.get("listProtected", "/v1/labels/protected", {
  success: ProtectionList,
  error: PresetErrors[500]
}).annotateMerge(
  describe("List the protected labels", "Of the workspace of the key, by name, at most 50.")
)

const whoProtects =
  "Takes a management key that was given the scope by name: one without a list of scopes has " +
  "none of a label."

const protect = HttpApiEndpoint.put("protect", "/v1/labels/protected/:label", {
  params: protectionParams,
  success: empty("The label is protected."),
  error: writeErrors
})
  .annotateMerge(
    describe(
      "Protect a label",
      "From now on only keys with the scope `labels:<name>` move or remove it, in all presets of",
      "the workspace, change the status of a preset that has it, or remove that preset. Twice is",
      "once.",
      whoProtects
    )
  )
  .annotate(LabelScopeRole, "Instead")

const unprotect = HttpApiEndpoint.delete("unprotect", "/v1/labels/protected/:label", {
  params: protectionParams,
  success: empty("The label is not protected."),
  error: writeErrors
})
  .annotateMerge(
    describe(
      "Lift the protection of a label",
      "From now on every key that designates versions moves it. Twice is once.",
      whoProtects
    )
  )
  .annotate(LabelScopeRole, "Instead")

/** Labels of presets. */
export const LabelApi = HttpApiGroup.make("labels")
  .add(list, get, move, remove, moves, listProtected, protect, unprotect)
  .middleware(PresetAuthentication)
  .annotate(Resource, "presets")
  // Both wrong parameters of a query are named, not the first alone.
  .annotate(HttpApi.QueryParseOptions, { errors: "all" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Labels",
      description: "Named pointers to versions of presets, and who may move them."
    })
  )
