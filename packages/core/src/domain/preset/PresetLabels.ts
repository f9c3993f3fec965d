/**
 * The labels of a preset: where each of them points now.
 */
import { Schema } from "effect"
import { LabelName } from "../workspace/LabelName.ts"
import { PresetVersionId, VersionNumber } from "./PresetVersion.ts"

/** Labels of one preset at most: more than a person can tell apart. */
export const labelMax = 50

/** Where a label points, and since when. */
export const LabelTarget = Schema.Struct({
  version: VersionNumber,
  versionId: PresetVersionId,
  movedAt: Schema.DateTimeUtcFromMillis
})
export type LabelTarget = typeof LabelTarget.Type

/** Where each label points, by its name. */
export const PresetLabels = Schema.Record(LabelName, LabelTarget)
export type PresetLabels = typeof PresetLabels.Type

/** Where a label points; undefined when there is none of that name, `constructor` included. */
export const targetOf = (labels: PresetLabels, label: LabelName): LabelTarget | undefined =>
  Object.hasOwn(labels, label) ? labels[label] : undefined

/** A label with its name. */
export interface NamedLabel extends LabelTarget {
  readonly name: LabelName
}

/** A label of a preset, and whether only some keys may move it. */
export interface ShownLabel extends NamedLabel {
  readonly isProtected: boolean
}

/** All labels by their names, in the order of the alphabet. */
export const listLabels = (labels: PresetLabels): ReadonlyArray<NamedLabel> =>
  Object.entries<LabelTarget>(labels)
    .map(([name, target]) => ({ ...target, name: LabelName.make(name) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
