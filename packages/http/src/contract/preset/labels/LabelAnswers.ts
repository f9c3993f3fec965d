/**
 * What the operations on labels answer, as schemas, and labels as they are shown.
 */
import type { LabelMove, NamedLabel, ProtectedLabel, ShownLabel } from "@verbatim/core/preset"
import { DateTime, Schema } from "effect"
import { instant, uuid } from "../../AnswerFields.ts"
import * as examples from "../PresetExamples.ts"
import { makeEntityTag } from "../PresetHeaders.ts"

const target = {
  label: Schema.String,
  version: Schema.Int.annotate({ description: "The number of the version that it points to." }),
  version_id: uuid,
  moved_at: instant.annotate({ description: "Since when it points there." })
}

const isProtected = Schema.Boolean.annotate({
  description: "Whether only keys with the scope `labels:<name>` move it."
})

const LabelView = Schema.Struct({ ...target, is_protected: isProtected }).annotate({
  identifier: "Label"
})

const tag = {
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
export const LabelList = Schema.Struct({ data: Schema.Array(LabelView) }).annotate({
  identifier: "LabelList",
  description: "The labels, by name.",
  examples: [{ data: [shown] }]
})

/** One label. */
export const LabelAnswer = Schema.Struct({ data: LabelView }).annotate({
  identifier: "LabelAnswer",
  description: "The label.",
  examples: [{ data: shown }],
  "x-headers": tag
})

/** One label after it was moved. */
export const MovedLabelAnswer = Schema.Struct({
  data: Schema.Struct(target).annotate({ identifier: "MovedLabel" })
}).annotate({
  identifier: "MovedLabelAnswer",
  description: "Where the label points now.",
  examples: [{ data: examples.label }],
  "x-headers": tag
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
export const LabelMovePage = Schema.Struct({
  data: Schema.Array(MoveView),
  total_count: Schema.Int.annotate({ description: "How many there are on all pages together." })
}).annotate({
  identifier: "LabelMovePage",
  description: "The moves of the page.",
  examples: [{ data: [examples.move], total_count: 1 }]
})

const ProtectionView = Schema.Struct({
  label: Schema.String,
  protected_by: Schema.NullOr(Schema.String).annotate({
    description: "The user of the key; null when it was an operator."
  }),
  protected_at: instant
}).annotate({ identifier: "ProtectedLabel" })

/** All labels that are protected in a workspace. */
export const ProtectionList = Schema.Struct({ data: Schema.Array(ProtectionView) }).annotate({
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
