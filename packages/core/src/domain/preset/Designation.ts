/** The entries in the histories of a preset's designations and labels. */
import { Schema } from "effect"
import { LabelName } from "../workspace/LabelName.ts"
import { UserId } from "../workspace/Workspace.ts"
import type { Preset } from "./Preset.ts"
import { targetOf } from "./PresetLabels.ts"
import { PresetId, VersionNumber } from "./PresetVersion.ts"

/** An entry in the history of a preset's designations. */
export const Designation = Schema.Struct({
  presetId: PresetId,
  /**
   * The preset's revision after the designation. Revisions order the designations even if clocks
   * are wrong.
   */
  revision: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** The previously designated version; null for the first designation. */
  from: Schema.NullOr(VersionNumber),
  to: VersionNumber,
  by: UserId,
  at: Schema.DateTimeUtcFromMillis
})
export type Designation = typeof Designation.Type

/** An entry in the history of a label: a move, or the removal. */
export const LabelMove = Schema.Struct({
  presetId: PresetId,
  label: LabelName,
  /** The preset's revision after the move. Revisions order the moves even if clocks are wrong. */
  revision: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** The version that the label pointed to before; null if the label did not exist. */
  from: Schema.NullOr(VersionNumber),
  /** The version that the label points to after the move; null if the label was removed. */
  to: Schema.NullOr(VersionNumber),
  by: UserId,
  at: Schema.DateTimeUtcFromMillis
})
export type LabelMove = typeof LabelMove.Type

/** Returns the history entry for the move or the removal of a label. */
export const moveBetween = (
  { before, next }: { readonly before: Preset; readonly next: Preset },
  { by, label }: Pick<LabelMove, "by" | "label">
): LabelMove => ({
  presetId: next.id,
  label,
  revision: next.revision,
  from: targetOf(before.labels, label)?.version ?? null,
  to: targetOf(next.labels, label)?.version ?? null,
  by,
  at: next.updatedAt
})
