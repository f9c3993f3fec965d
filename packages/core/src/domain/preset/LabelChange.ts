/**
 * What may be done to a label of a preset, and by which key.
 */
import { type DateTime, Result, Schema } from "effect"
import type { IllegalTransition } from "../machine/Machine.ts"
import { hasLabelScope, isAllowed, type Principal } from "../workspace/ApiKey.ts"
import { LabelName } from "../workspace/LabelName.ts"
import { UserId, type WorkspaceId } from "../workspace/Workspace.ts"
import { Event, type State, transition } from "./Preset.ts"
import { refuseErased } from "./PresetChange.ts"
import { labelMax, listLabels, targetOf } from "./PresetLabels.ts"
import {
  LabelNotFound,
  LabelProtected,
  LabelsFull,
  ManagementKeyRequired,
  type VersionErased
} from "./PresetRefusal.ts"
import type { PresetVersion } from "./PresetVersion.ts"

// Labels that only some keys may move: which they are in a workspace, and who decides on that.

/** Protected labels of a workspace at most. */
export const protectedLabelMax = 50

/** A label that is protected in all presets of a workspace. */
export const ProtectedLabel = Schema.Struct({
  label: LabelName,
  /** Null when it was an operator. */
  by: Schema.NullOr(UserId),
  at: Schema.DateTimeUtcFromMillis
})
export type ProtectedLabel = typeof ProtectedLabel.Type

/** An operator at work on a workspace. */
export interface OperatorOf {
  readonly kind: "operator"
  readonly workspaceId: WorkspaceId
}

/** Whoever may decide which labels are protected. */
export type Protector = OperatorOf | Principal

/**
 * Why somebody may not protect a label, or lift its protection; undefined when they may. That takes
 * an operator, or a management key that may move the label once it is protected.
 */
export const judgeProtection = (
  protector: Protector,
  label: LabelName
): LabelProtected | ManagementKeyRequired | undefined => {
  if (protector.kind === "operator") return undefined
  const { kind, scopes = null } = protector
  if (kind !== "management") return new ManagementKeyRequired()
  return hasLabelScope({ kind, scopes }, label) ? undefined : new LabelProtected({ label })
}

/** The preset after a label was moved; the same one when it points to that version already. */
export const applyLabelMove = (
  preset: State,
  {
    at,
    label,
    version
  }: { readonly label: LabelName; readonly version: PresetVersion; readonly at: DateTime.Utc }
): Result.Result<State, IllegalTransition | LabelsFull | VersionErased> => {
  if (version.erased !== null) return Result.fail(refuseErased(preset, version))
  const target = targetOf(preset.labels, label)
  const event = { at, label, version: version.version, versionId: version.id }
  const moved = transition(preset, Event.cases.LabelMoved.make(event))
  if (target?.versionId === version.id) return Result.map(moved, () => preset)
  const isFull = target === undefined && Object.keys(preset.labels).length >= labelMax
  return isFull && Result.isSuccess(moved)
    ? Result.fail(new LabelsFull({ slug: preset.slug, max: labelMax }))
    : moved
}

/** The preset without a label. */
export const applyLabelRemoval = (
  preset: State,
  { at, label }: { readonly label: LabelName; readonly at: DateTime.Utc }
): Result.Result<State, IllegalTransition | LabelNotFound> => {
  const removed = transition(preset, Event.cases.LabelRemoved.make({ at, label }))
  return Result.isSuccess(removed) && targetOf(preset.labels, label) === undefined
    ? Result.fail(new LabelNotFound({ slug: preset.slug, label }))
    : removed
}

/** The part of a key that decides which labels it may move. */
export type LabelMover = Pick<Principal, "kind" | "scopes">

/**
 * Why a key may not move or remove a label; undefined when it may. A protected label takes a
 * management key that has its scope by name: one without a list of scopes has none of them. Other
 * labels are for all keys that may designate.
 */
export const judgeLabel = (
  { kind, scopes = null }: LabelMover,
  { isProtected, label }: { readonly label: LabelName; readonly isProtected: boolean }
): LabelProtected | ManagementKeyRequired | undefined => {
  if (kind !== "management") return new ManagementKeyRequired()
  if (hasLabelScope({ kind, scopes }, label)) return undefined
  if (isProtected) return new LabelProtected({ label })
  return isAllowed({ kind, scopes }, "presets:write") ? undefined : new ManagementKeyRequired()
}

/** A preset whose labels are at stake, and the labels that are protected in its workspace. */
interface LabelsAtStake {
  readonly preset: Pick<State, "labels">
  readonly held: ReadonlyArray<Pick<ProtectedLabel, "label">>
}

/**
 * The labels of a preset that nobody protects, for a key that may take all of its labels out of
 * service or bring them back: that is as much as to move or remove each of them.
 */
export const takeLabels = (
  mover: LabelMover,
  { held, preset }: LabelsAtStake
): Result.Result<ReadonlyArray<LabelName>, LabelProtected | ManagementKeyRequired> => {
  const labels = listLabels(preset.labels).map(({ name: label }) => ({
    label,
    isProtected: held.some((each) => each.label === label)
  }))
  const refusal = labels.map((each) => judgeLabel(mover, each)).find((each) => each !== undefined)
  return refusal === undefined
    ? Result.succeed(labels.filter((each) => !each.isProtected).map(({ label }) => label))
    : Result.fail(refusal)
}

/**
 * Whether a change decides if the labels of a preset are in service: only those of an active preset
 * can be used. Nothing else that may be done to a preset takes a label's version away, because a
 * version that a label points to is never erased.
 */
export const isServiceChange = (before: State, next: State): boolean => before._tag !== next._tag
