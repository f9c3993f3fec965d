/**
 * Refusals of operations on presets.
 */

import { Schema } from "effect"
import { refusal } from "../schema/Refusal.ts"
import type { Preset } from "./Preset.ts"
import type { LabelTarget } from "./PresetLabels.ts"
import type { PresetVersionId } from "./PresetVersion.ts"

// Before a preset or a label is written, it may have to meet a condition, as with `If-Match` and
// `If-None-Match` (RFC 9110, 13.1). A preset is matched by the id of its designated version, and a
// label by the id of the version that it points to.

/** Ids of versions, or `any` for every preset or label that exists. */
type Designating = "any" | ReadonlyArray<string>

/** A condition on a preset or a label. Missing fields require nothing. */
export interface PresetCondition {
  /** The current version must be one of these versions. */
  readonly match?: Designating | undefined
  /**
   * The current version must be none of these versions. For `any`, the preset or label must not
   * exist.
   */
  readonly noneMatch?: Designating | undefined
  /**
   * The preset must not have changed in any way since this revision. No header expresses this
   * condition.
   */
  readonly revision?: number | undefined
}

/** Why a condition on a preset or a label is not met. */
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

/** Returns why a condition on a preset, or on its absence, is not met; undefined if it is met. */
export const findUnmetCondition = (
  condition: PresetCondition,
  preset: Preset | undefined
): Unmet | undefined =>
  condition.revision !== undefined && preset?.revision !== condition.revision
    ? "Moved"
    : judge(condition, preset?.designatedVersionId)

/** Returns why a condition on a label, or on its absence, is not met; undefined if it is met. */
export const findUnmetLabelCondition = (
  condition: PresetCondition,
  target: LabelTarget | undefined
): Unmet | undefined => judge(condition, target?.versionId)

/** The operation requires a management key. */
export class ManagementKeyRequired extends refusal<ManagementKeyRequired>()(
  "ManagementKeyRequired",
  { sentence: "Only management keys can perform this operation" }
) {}

/** The workspace has no preset with that slug, or had none at that time. */
export class PresetNotFound extends refusal<PresetNotFound>()("PresetNotFound", {
  fields: {
    slug: Schema.String
  },
  sentence: ({ slug }) => `There is no preset ${slug}`
}) {}

/** The preset has no version with that number. */
export class VersionNotFound extends refusal<VersionNotFound>()("VersionNotFound", {
  fields: {
    slug: Schema.String,
    version: Schema.Int
  },
  sentence: ({ slug, version }) => `The preset ${slug} has no version ${version}`
}) {}

/**
 * The preset's status does not allow the operation. An archived preset, for example, must be
 * restored first.
 */
export class PresetInactive extends refusal<PresetInactive>()("PresetInactive", {
  fields: {
    slug: Schema.String,
    status: Schema.String
  },
  sentence: ({ slug, status }) => `The preset ${slug} is ${status}`
}) {}

/** The preset, or one of its labels, does not meet the caller's condition. */
export class ConditionFailed extends refusal<ConditionFailed>()("ConditionFailed", {
  fields: {
    slug: Schema.String,
    unmet: Unmet,
    /** The label that the condition applies to; missing if it applies to the preset. */
    label: Schema.optionalKey(Schema.String)
  },
  sentence: ({ label, slug }) =>
    label === undefined
      ? `The preset ${slug} does not meet the condition`
      : `The label ${label} of the preset ${slug} does not meet the condition`
}) {}

/** The preset has no label with that name, or had none at that time. */
export class LabelNotFound extends refusal<LabelNotFound>()("LabelNotFound", {
  fields: {
    slug: Schema.String,
    label: Schema.String
  },
  sentence: ({ label, slug }) => `The preset ${slug} has no label ${label}`
}) {}

/** The preset has the maximum number of labels. */
export class LabelsFull extends refusal<LabelsFull>()("LabelsFull", {
  fields: {
    slug: Schema.String,
    max: Schema.Int
  },
  sentence: ({ max, slug }) => `The preset ${slug} has ${max} labels, as many as are allowed`
}) {}

/** The label is protected in the workspace, and the key does not have the label's scope. */
export class LabelProtected extends refusal<LabelProtected>()("LabelProtected", {
  fields: {
    label: Schema.String
  },
  sentence: ({ label }) => `This requires a key with the scope labels:${label}`
}) {}

/** The workspace has the maximum number of protected labels. */
export class ProtectedLabelsFull extends refusal<ProtectedLabelsFull>()("ProtectedLabelsFull", {
  fields: { max: Schema.Int },
  sentence: ({ max }) => `The workspace has ${max} protected labels, as many as are allowed`
}) {}

/** The content of the version was erased, so the version cannot be designated or get a label. */
export class VersionErased extends refusal<VersionErased>()("VersionErased", {
  fields: {
    slug: Schema.String,
    version: Schema.Int
  },
  sentence: ({ slug, version }) =>
    `The content of version ${version} of the preset ${slug} was erased`
}) {}

/** The version is designated, or a label points to it, so its content cannot be erased. */
export class VersionInUse extends refusal<VersionInUse>()("VersionInUse", {
  fields: {
    slug: Schema.String,
    version: Schema.Int,
    /** The label that points to the version; null if the version is designated. */
    label: Schema.NullOr(Schema.String)
  },
  sentence: ({ label, slug, version }) => {
    const use = label === null ? "is designated" : `has the label ${label}`
    return `Version ${version} of the preset ${slug} ${use}`
  }
}) {}

/** Only archived presets can be removed. */
export class PresetNotArchived extends refusal<PresetNotArchived>()("PresetNotArchived", {
  fields: { slug: Schema.String, status: Schema.String },
  sentence: ({ slug, status }) =>
    `The preset ${slug} is ${status}: only an archived one can be removed`
}) {}
