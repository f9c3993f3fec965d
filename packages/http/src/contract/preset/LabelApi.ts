/**
 * Defines the label operations: the labels of a preset, and the protected labels in the key's
 * workspace or, for operators, in any workspace.
 */

import type { LabelMove, NamedLabel, ProtectedLabel, ShownLabel } from "@verbatim/core/preset"
import { labelNameMax, reservedNames } from "@verbatim/core/workspace"
import { DateTime, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { LabelScopeRole, OperatorAuthentication, PresetAuthentication } from "../Authentication.ts"
import {
  changeErrors,
  PresetErrors,
  pickErrors,
  readErrors,
  WorkspaceErrors,
  writeErrors
} from "../Errors.ts"
import { describe, makeGroup } from "../Operation.ts"
import {
  countField,
  flagField,
  instant,
  makeAnswer,
  makePage,
  makePathParameter,
  orNull,
  ParameterRules,
  textField,
  uuid
} from "../Parameters.ts"
import { workspaceParams } from "../workspace/WorkspaceApi.ts"
import * as examples from "./PresetAnswers.ts"
import { LabelBody } from "./PresetApi.ts"
import { labelConditions, makeEntityTag } from "./PresetHeaders.ts"
import { pageQuery, presetParams } from "./PresetParameters.ts"

const words = reservedNames.map((name) => `\`${name}\``).join(" or ")

/** Protection applies to a label of this name on every preset in the workspace. */
const protectionParams = {
  label: makePathParameter({
    minLength: 1,
    maxLength: labelNameMax,
    pattern: "^[a-z][a-z0-9_-]*$",
    description:
      "The name of the label: a lowercase letter, then at most " +
      `${labelNameMax - 1} of \`a-z 0-9 _ -\`, and not ${words}.`
  })
}

const labelParams = { ...presetParams, ...protectionParams }

const targetFields = {
  label: Schema.String,
  version: countField("The number of the version that the label points to."),
  version_id: uuid,
  moved_at: instant.annotate({ description: "When the label was moved to this version." })
}

const isProtected = flagField(
  "Whether only keys with the scope `labels:<name>` can move the label."
)

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

/** All labels of a preset. The list has no further pages. */
const LabelList = Schema.Struct({ data: Schema.Array(LabelView) }).annotate({
  identifier: "LabelList",
  description: "The labels, sorted by name.",
  examples: [{ data: [shown] }]
})

export const LabelAnswer = makeAnswer(LabelView, shown).annotate({
  identifier: "LabelAnswer",
  description: "The label.",
  "x-headers": labelTag
})

export const MovedLabelAnswer = makeAnswer(
  Schema.Struct(targetFields).annotate({ identifier: "MovedLabel" }),
  examples.label
).annotate({
  identifier: "MovedLabelAnswer",
  description: "The label with its new version.",
  "x-headers": labelTag
})

const MoveView = Schema.Struct({
  from: orNull(Schema.Int, "The previous version's number; null if the label did not exist."),
  to: orNull(Schema.Int, "The new version's number; null if the label was removed."),
  moved_by: textField("The user of the key."),
  moved_at: instant
}).annotate({ identifier: "LabelMove" })

const LabelMovePage = makePage(MoveView, examples.move).annotate({
  identifier: "LabelMovePage",
  description: "A page of moves."
})

const ProtectionView = Schema.Struct({
  label: Schema.String,
  protected_by: orNull(Schema.String, "The user of the key; null for an operator."),
  protected_at: instant
}).annotate({ identifier: "ProtectedLabel" })

const ProtectionList = Schema.Struct({ data: Schema.Array(ProtectionView) }).annotate({
  identifier: "ProtectedLabelList",
  description: "The protected labels, sorted by name.",
  examples: [{ data: [examples.protection] }]
})

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

export const toLabelView = (label: ShownLabel): typeof LabelAnswer.Type.data => ({
  ...toTargetView(label),
  is_protected: label.isProtected
})

export const toMoveView = ({ at, by, from, to }: LabelMove) => ({
  from,
  to,
  moved_by: by,
  moved_at: DateTime.formatIso(at)
})

export const toProtectionList = (labels: ReadonlyArray<ProtectedLabel>) => ({
  data: labels.map(({ at, by, label }) => ({
    label,
    protected_by: by,
    protected_at: DateTime.formatIso(at)
  }))
})

const empty = (description: string) => HttpApiSchema.NoContent.annotate({ description })

const moveKeys =
  "Needs a management key; for a protected label, it needs the scope `labels:<name>`."

const list = describe(
  "List the labels of a preset",
  "The list is sorted by name, and has at most 50 labels."
).get("list", "/v1/presets/:slug/labels", {
  params: presetParams,
  success: LabelList,
  error: readErrors
})

const get = describe(
  "Read where a label points",
  "The answer includes the time of the label's last move."
).get("get", "/v1/presets/:slug/labels/:label", {
  params: labelParams,
  success: LabelAnswer,
  error: readErrors
})

const move = describe(
  "Point a label to a version",
  "Creates the label if it does not exist. Moving a label to its current version changes",
  "nothing.",
  moveKeys
)
  .put("move", "/v1/presets/:slug/labels/:label", {
    params: labelParams,
    headers: labelConditions,
    payload: LabelBody,
    success: MovedLabelAnswer,
    error: writeErrors
  })
  .annotate(LabelScopeRole, "Alternative")

const remove = describe("Remove a label from a preset", "The label's history is kept.", moveKeys)
  .delete("remove", "/v1/presets/:slug/labels/:label", {
    params: labelParams,
    headers: labelConditions,
    success: empty("The label was removed."),
    error: writeErrors
  })
  .annotate(LabelScopeRole, "Alternative")

const moves = describe(
  "Read the history of a label",
  "Lists all moves of the label in order, with users and timestamps. A removed label's history",
  "is kept."
).get("moves", "/v1/presets/:slug/labels/:label/moves", {
  params: labelParams,
  query: pageQuery,
  success: LabelMovePage,
  error: readErrors
})

const listProtected = describe(
  "List the protected labels",
  "Lists the protected labels of the key's workspace, at most 50, sorted by name."
).get("listProtected", "/v1/labels/protected", {
  success: ProtectionList,
  error: PresetErrors[500]
})

const protectKeys =
  "Needs a management key that was granted the label's scope by name: a key without a list " +
  "of scopes has no label scopes."

const protect = describe(
  "Protect a label",
  "Afterwards, only keys with the scope `labels:<name>` can move or remove the label in any",
  "preset of the workspace, change the status of a preset with this label, or remove that",
  "preset. Repeating the request changes nothing.",
  protectKeys
)
  .put("protect", "/v1/labels/protected/:label", {
    params: protectionParams,
    success: empty("The label is protected."),
    error: writeErrors
  })
  .annotate(LabelScopeRole, "Only")

const unprotect = describe(
  "Remove the protection of a label",
  "Afterwards, every key that can designate versions can move the label. Repeating the request",
  "changes nothing.",
  protectKeys
)
  .delete("unprotect", "/v1/labels/protected/:label", {
    params: protectionParams,
    success: empty("The label is not protected."),
    error: writeErrors
  })
  .annotate(LabelScopeRole, "Only")

export const LabelApi = makeGroup("labels", {
  title: "Labels",
  description: "Named pointers to preset versions, and their protection.",
  resource: "presets"
})
  .add(list, get, move, remove, moves, listProtected, protect, unprotect)
  .middleware(ParameterRules)
  .middleware(PresetAuthentication)

const protectedParams = { ...workspaceParams, ...protectionParams }

/** Lets operators manage the protected labels of any workspace. */
export const WorkspaceLabelApi = makeGroup("workspaceLabels", {
  title: "Protected labels of workspaces",
  description: "Labels that only some keys can move. Needs an operator key."
})
  .add(
    describe(
      "List the protected labels of a workspace",
      "The list is sorted by name, and has at most 50 labels."
    ).get("list", "/v1/workspaces/:id/labels/protected", {
      params: workspaceParams,
      success: ProtectionList,
      error: pickErrors(WorkspaceErrors, 404, 429)
    }),
    describe(
      "Protect a label in a workspace",
      "Afterwards, only keys with the scope `labels:<name>` can move or remove the label in any",
      "preset of the workspace. Only operators grant that scope. Repeating the request changes",
      "nothing."
    ).put("protect", "/v1/workspaces/:id/labels/protected/:label", {
      params: protectedParams,
      success: empty("The label is protected."),
      error: changeErrors
    }),
    describe(
      "Remove the protection of a label in a workspace",
      "Afterwards, every key that can designate versions can move the label. Repeating the request",
      "changes nothing."
    ).delete("unprotect", "/v1/workspaces/:id/labels/protected/:label", {
      params: protectedParams,
      success: empty("The label is not protected."),
      error: changeErrors
    })
  )
  .middleware(OperatorAuthentication)
