/**
 * The labels of a preset, and the versions they point to.
 */
import { Schema } from "effect"
import { LabelName } from "../workspace/LabelName.ts"
import { PresetVersionId, VersionNumber } from "./PresetVersion.ts"

/** Maximum number of labels per preset: more than a person can distinguish. */
export const labelMax = 50

/** The version that a label points to, and the time when the label was moved there. */
export const LabelTarget = Schema.Struct({
  version: VersionNumber,
  versionId: PresetVersionId,
  movedAt: Schema.DateTimeUtcFromMillis
})
export type LabelTarget = typeof LabelTarget.Type

/** The targets of a preset's labels, keyed by name. */
export const PresetLabels = Schema.Record(LabelName, LabelTarget)
export type PresetLabels = typeof PresetLabels.Type

/**
 * Returns the target of a label; undefined if there is no such label, even if its name is that of
 * an inherited property such as `constructor`.
 */
export const targetOf = (labels: PresetLabels, label: LabelName): LabelTarget | undefined =>
  Object.hasOwn(labels, label) ? labels[label] : undefined

/** A label with its name and target. */
export interface NamedLabel extends LabelTarget {
  readonly name: LabelName
}

/** A label with its name and target, and whether only some keys can move it. */
export interface ShownLabel extends NamedLabel {
  readonly isProtected: boolean
}

/** Returns all labels in alphabetical order. */
export const listLabels = (labels: PresetLabels): ReadonlyArray<NamedLabel> =>
  Object.entries<LabelTarget>(labels)
    .map(([name, target]) => ({ ...target, name: LabelName.make(name) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
