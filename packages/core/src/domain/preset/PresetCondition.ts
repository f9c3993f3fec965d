/**
 * What a client requires of a preset or of a label before it is written, as the headers `If-Match`
 * and `If-None-Match` say it (RFC 9110, 13.1). A preset is told by the id of its designated
 * version, a label by the id of the version that it points to.
 */
import { Schema } from "effect"
import type { Preset } from "./Preset.ts"
import type { LabelTarget } from "./PresetLabels.ts"
import type { PresetVersionId } from "./PresetVersion.ts"

/** Any that exists, or one that points to one of these versions. */
type Designating = "any" | ReadonlyArray<string>

/** A condition; what is absent requires nothing. */
export interface PresetCondition {
  /** It must be among these. */
  readonly match?: Designating | undefined
  /** It must not be among these: with `any`, there must be none. */
  readonly noneMatch?: Designating | undefined
  /** It must not have changed since, in whatever way. No header says that. */
  readonly revision?: number | undefined
}

/** Why a condition does not hold. */
export const Unmet = Schema.Literals(["Absent", "Exists", "Moved", "NotMoved"])
export type Unmet = typeof Unmet.Type

const isAmong = (versionId: PresetVersionId, designating: Designating): boolean =>
  designating === "any" || designating.includes(versionId)

const judge = (
  { match, noneMatch }: PresetCondition,
  pointsTo: PresetVersionId | undefined
): Unmet | undefined => {
  if (pointsTo === undefined) return match === undefined ? undefined : "Absent"
  if (match !== undefined && !isAmong(pointsTo, match)) return "Moved"
  if (noneMatch === undefined || !isAmong(pointsTo, noneMatch)) return undefined
  return noneMatch === "any" ? "Exists" : "NotMoved"
}

/** Why a condition does not hold of a preset, or of its absence; undefined when it holds. */
export const unmetBy = (
  condition: PresetCondition,
  preset: Preset | undefined
): Unmet | undefined =>
  condition.revision !== undefined && preset?.revision !== condition.revision
    ? "Moved"
    : judge(condition, preset?.designatedVersionId)

/** The same of a label. */
export const unmetByLabel = (
  condition: PresetCondition,
  target: LabelTarget | undefined
): Unmet | undefined => judge(condition, target?.versionId)
