/**
 * Which version of a preset was put in charge, by whom and when.
 */
import { Schema } from "effect"
import { LabelName } from "../workspace/LabelName.ts"
import { UserId } from "../workspace/Workspace.ts"
import type { Preset } from "./Preset.ts"
import { targetOf } from "./PresetLabels.ts"
import { PresetId, VersionNumber } from "./PresetVersion.ts"

/** One entry in the history of designations. */
export const Designation = Schema.Struct({
  presetId: PresetId,
  /** Of the preset after it. Designations are ordered by it, whatever the clocks said. */
  revision: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** The version designated before; null for the first one. */
  from: Schema.NullOr(VersionNumber),
  to: VersionNumber,
  by: UserId,
  at: Schema.DateTimeUtcFromMillis
})
export type Designation = typeof Designation.Type

// How a label of a preset was moved, by whom and when.

/** One entry in the history of a label. */
export const LabelMove = Schema.Struct({
  presetId: PresetId,
  label: LabelName,
  /** Revision of the preset after the move. It orders moves, whatever the clocks said. */
  revision: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** Where it pointed before; null when there was no such label. */
  from: Schema.NullOr(VersionNumber),
  /** Where it points from then on; null when it was removed. */
  to: Schema.NullOr(VersionNumber),
  by: UserId,
  at: Schema.DateTimeUtcFromMillis
})
export type LabelMove = typeof LabelMove.Type

/** The entry of a change that moved or removed a label. */
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
