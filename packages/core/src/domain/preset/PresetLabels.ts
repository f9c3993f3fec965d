/**
 * The labels of a preset, and the versions they point to.
 */
import { Schema } from "effect"
import { LabelName } from "../workspace/LabelName.ts"
import { PresetVersionId, VersionNumber } from "./PresetVersion.ts"

/** Maximum number of labels per preset: more than a person can distinguish. */
export const labelMax = 50

/** The version that a label points to, and when the label began to point there. */
export const LabelTarget = Schema.Struct({
  version: VersionNumber,
  versionId: PresetVersionId,
  movedAt: Schema.DateTimeUtcFromMillis
})
export type LabelTarget = typeof LabelTarget.Type

/** The labels of a preset: targets keyed by name. */
export const PresetLabels = Schema.Record(LabelName, LabelTarget)
export type PresetLabels = typeof PresetLabels.Type

/**
 * Returns the target of a label; undefined if there is no such label, even if the name is
 * `constructor`.
 */
export const targetOf = (labels: PresetLabels, label: LabelName): LabelTarget | undefined =>
  Object.hasOwn(labels, label) ? labels[label] : undefined

/** The name of a label, with the label's target. */
export interface NamedLabel extends LabelTarget {
  readonly name: LabelName
}

/** A label of a preset, and whether only some keys can move it. */
export interface ShownLabel extends NamedLabel {
  readonly isProtected: boolean
}

/** Lists all labels in alphabetical order. */
export const listLabels = (labels: PresetLabels): ReadonlyArray<NamedLabel> =>
  Object.entries<LabelTarget>(labels)
    .map(([name, target]) => ({ ...target, name: LabelName.make(name) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
