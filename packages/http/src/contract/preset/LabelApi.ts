/**
 * The operations on labels as values: the labels of a preset, and which of them are protected in
 * the workspace of the key, or, for operators, in any workspace.
 */

import type { LabelMove, NamedLabel, ProtectedLabel, ShownLabel } from "@verbatim/core/preset"
import { labelNameMax, reservedNames } from "@verbatim/core/workspace"
import { DateTime, Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  LabelScopeRole,
  OperatorAuthentication,
  PresetAuthentication,
  Resource
} from "../Authentication.ts"
import { changeErrors, PresetErrors, readErrors, WorkspaceErrors, writeErrors } from "../Errors.ts"
import { describe, pickErrors } from "../Operation.ts"
import { instant, makeAnswer, makePage, ParameterRules, uuid } from "../Parameters.ts"
import { workspaceParams } from "../workspace/WorkspaceApi.ts"
import * as examples from "./PresetAnswers.ts"
import { LabelBody } from "./PresetApi.ts"
import { labelConditions, makeEntityTag } from "./PresetHeaders.ts"
import { pageQuery, presetParams } from "./PresetParameters.ts"

const words = reservedNames.map((name) => `\`${name}\``).join(" or ")

/** A label of all presets of a workspace. */
const protectionParams = {
  label: Schema.String.annotate({
    "x-schema": {
      type: "string",
      minLength: 1,
      maxLength: labelNameMax,
      pattern: "^[a-z][a-z0-9_-]*$",
      description:
        "The name of the label: a lowercase letter, then at most " +
        `${labelNameMax - 1} of \`a-z 0-9 _ -\`, and not ${words}.`
    }
  })
}

/** A label of a preset. */
const labelParams = { ...presetParams, ...protectionParams }

const targetFields = {
  label: Schema.String,
  version: Schema.Int.annotate({ description: "The number of the version that it points to." }),
  version_id: uuid,
  moved_at: instant.annotate({ description: "Since when it points there." })
}

const isProtected = Schema.Boolean.annotate({
  description: "Whether only keys with the scope `labels:<name>` move it."
})

const LabelView = Schema.Struct({ ...targetFields, is_protected: isProtected }).annotate({
  identifier: "Label"
})

const labelTag = {
  ETag: {
    description:
      "The id of the version that the label points to, in double quotes, for `If-Match`.",
    required: true,
    schema: { type: "string" },
    example: makeEntityTag(examples.version.id)
  }
}

const shown = { ...examples.label, is_protected: true }

/** All labels of a preset, of which there are few. */
const LabelList = Schema.Struct({ data: Schema.Array(LabelView) }).annotate({
  identifier: "LabelList",
  description: "The labels, by name.",
  examples: [{ data: [shown] }]
})

/** One label. */
export const LabelAnswer = makeAnswer(LabelView, shown).annotate({
  identifier: "LabelAnswer",
  description: "The label.",
  "x-headers": labelTag
})

/** One label after it was moved. */
export const MovedLabelAnswer = makeAnswer(
  Schema.Struct(targetFields).annotate({ identifier: "MovedLabel" }),
  examples.label
).annotate({
  identifier: "MovedLabelAnswer",
  description: "Where the label points now.",
  "x-headers": labelTag
})

const MoveView = Schema.Struct({
  from: Schema.NullOr(Schema.Int).annotate({
    description: "The number of the version before; null when there was no such label."
  }),
  to: Schema.NullOr(Schema.Int).annotate({
    description: "The number of the version from then on; null when the label was removed."
  }),
  moved_by: Schema.String.annotate({ description: "The user of the key." }),
  moved_at: instant
}).annotate({ identifier: "LabelMove" })

/** A page of the history of a label. */
const LabelMovePage = makePage(MoveView, examples.move).annotate({
  identifier: "LabelMovePage",
  description: "The moves of the page."
})

const ProtectionView = Schema.Struct({
  label: Schema.String,
  protected_by: Schema.NullOr(Schema.String).annotate({
    description: "The user of the key; null when it was an operator."
  }),
  protected_at: instant
}).annotate({ identifier: "ProtectedLabel" })

/** All labels that are protected in a workspace. */
const ProtectionList = Schema.Struct({ data: Schema.Array(ProtectionView) }).annotate({
  identifier: "ProtectedLabelList",
  description: "The protected labels, by name.",
  examples: [{ data: [examples.protection] }]
})

/** Shows where a label points. */
export const toTargetView = ({
  movedAt,
  name,
  version,
  versionId
}: NamedLabel): typeof MovedLabelAnswer.Type.data => ({
  label: name,
  version,
  version_id: versionId,
  moved_at: DateTime.formatIso(movedAt)
})

/** Shows a label. */
export const toLabelView = (label: ShownLabel): typeof LabelAnswer.Type.data => ({
  ...toTargetView(label),
  is_protected: label.isProtected
})

/** Shows a move. */
export const toMoveView = ({ at, by, from, to }: LabelMove) => ({
  from,
  to,
  moved_by: by,
  moved_at: DateTime.formatIso(at)
})

/** Shows what is protected. */
export const toProtectionList = (labels: ReadonlyArray<ProtectedLabel>) => ({
  data: labels.map(({ at, by, label }) => ({
    label,
    protected_by: by,
    protected_at: DateTime.formatIso(at)
  }))
})

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
  .annotate(LabelScopeRole, "Alternative")

const remove = HttpApiEndpoint.delete("remove", "/v1/presets/:slug/labels/:label", {
  params: labelParams,
  headers: labelConditions,
  success: empty("The label is removed."),
  error: writeErrors
})
  .annotateMerge(describe("Remove a label from a preset", "Its history stays.", whoMoves))
  .annotate(LabelScopeRole, "Alternative")

const moves = HttpApiEndpoint.get("moves", "/v1/presets/:slug/labels/:label/moves", {
  params: labelParams,
  query: pageQuery,
  success: LabelMovePage,
  error: readErrors
}).annotateMerge(
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
  .annotate(LabelScopeRole, "Only")

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
  .annotate(LabelScopeRole, "Only")

/** Labels of presets. */
export const LabelApi = HttpApiGroup.make("labels")
  .add(list, get, move, remove, moves, listProtected, protect, unprotect)
  .middleware(ParameterRules)
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

const protectedParams = { ...workspaceParams, ...protectionParams }

/** Which labels are protected in any workspace, as operators decide it. */
export const WorkspaceLabelApi = HttpApiGroup.make("workspaceLabels")
  .add(
    HttpApiEndpoint.get("list", "/v1/workspaces/:id/labels/protected", {
      params: workspaceParams,
      success: ProtectionList,
      error: pickErrors(WorkspaceErrors, 404, 429)
    }).annotateMerge(describe("List the protected labels of a workspace", "By name, at most 50.")),
    HttpApiEndpoint.put("protect", "/v1/workspaces/:id/labels/protected/:label", {
      params: protectedParams,
      success: empty("The label is protected."),
      error: changeErrors
    }).annotateMerge(
      describe(
        "Protect a label in a workspace",
        "From now on only keys with the scope `labels:<name>` move or remove it, in all presets of",
        "the workspace. Only operators give that scope to a key. Twice is once."
      )
    ),
    HttpApiEndpoint.delete("unprotect", "/v1/workspaces/:id/labels/protected/:label", {
      params: protectedParams,
      success: empty("The label is not protected."),
      error: changeErrors
    }).annotateMerge(
      describe(
        "Lift the protection of a label in a workspace",
        "From now on every key that designates versions moves it. Twice is once."
      )
    )
  )
  .middleware(OperatorAuthentication)
  .annotateMerge(
    OpenApi.annotations({
      title: "Protected labels of workspaces",
      description: "Labels that only some keys may move. Takes an operator key."
    })
  )
