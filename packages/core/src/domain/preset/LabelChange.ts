/** Moves and removes a preset's labels, and decides which keys can do so. */
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

// Protected labels can be moved only by some keys. The protection applies to all presets of a
// workspace.

/** Maximum number of protected labels in a workspace. */
export const protectedLabelMax = 50

/** A label that is protected in all presets of a workspace. */
export const ProtectedLabel = Schema.Struct({
  label: LabelName,
  /** The user who protected the label; null if an operator did. */
  by: Schema.NullOr(UserId),
  at: Schema.DateTimeUtcFromMillis
})
export type ProtectedLabel = typeof ProtectedLabel.Type

/** An operator who acts on a workspace. */
export interface OperatorOf {
  readonly kind: "operator"
  readonly workspaceId: WorkspaceId
}

/** A caller who protects or unprotects a label. */
export type ProtectionCaller = OperatorOf | Principal

/**
 * Returns why a caller cannot protect or unprotect a label; undefined if the caller can. Only
 * operators can, and management keys that could move the protected label.
 */
export const checkProtection = (
  protector: ProtectionCaller,
  label: LabelName
): LabelProtected | ManagementKeyRequired | undefined => {
  if (protector.kind === "operator") return undefined
  const { kind, scopes = null } = protector
  if (kind !== "management") return new ManagementKeyRequired()
  return hasLabelScope({ kind, scopes }, label) ? undefined : new LabelProtected({ label })
}

/**
 * Returns the preset with a label moved to a version; the same preset if the label already points
 * there.
 */
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

/** Returns the preset without one of its labels. */
export const applyLabelRemoval = (
  preset: State,
  { at, label }: { readonly label: LabelName; readonly at: DateTime.Utc }
): Result.Result<State, IllegalTransition | LabelNotFound> => {
  const removed = transition(preset, Event.cases.LabelRemoved.make({ at, label }))
  return Result.isSuccess(removed) && targetOf(preset.labels, label) === undefined
    ? Result.fail(new LabelNotFound({ slug: preset.slug, label }))
    : removed
}

/** The fields of a key that decide which labels it can move. */
export type CallerScopes = Pick<Principal, "kind" | "scopes">

/**
 * Returns why a key cannot move or remove a label; undefined if it can. A protected label requires
 * a management key with that label's scope, which a key without a list of scopes does not have. All
 * other labels can be moved with any key that can designate versions.
 */
export const checkLabelMove = (
  { kind, scopes = null }: CallerScopes,
  { isProtected, label }: { readonly label: LabelName; readonly isProtected: boolean }
): LabelProtected | ManagementKeyRequired | undefined => {
  if (kind !== "management") return new ManagementKeyRequired()
  if (hasLabelScope({ kind, scopes }, label)) return undefined
  if (isProtected) return new LabelProtected({ label })
  return isAllowed({ kind, scopes }, "presets:write") ? undefined : new ManagementKeyRequired()
}

/** The labels of a preset, and the protected labels of its workspace. */
interface AffectedLabels {
  readonly preset: Pick<State, "labels">
  readonly held: ReadonlyArray<Pick<ProtectedLabel, "label">>
}

/**
 * Returns the unprotected labels of a preset, or a refusal if the key cannot move all of the
 * preset's labels. Taking labels out of service, or putting them back, requires the same
 * permissions as moving or removing each of them.
 */
export const findUnprotectedLabels = (
  caller: CallerScopes,
  { held, preset }: AffectedLabels
): Result.Result<ReadonlyArray<LabelName>, LabelProtected | ManagementKeyRequired> => {
  const labels = listLabels(preset.labels).map(({ name: label }) => ({
    label,
    isProtected: held.some((each) => each.label === label)
  }))
  const refusal = labels
    .map((each) => checkLabelMove(caller, each))
    .find((each) => each !== undefined)
  return refusal === undefined
    ? Result.succeed(labels.filter((each) => !each.isProtected).map(({ label }) => label))
    : Result.fail(refusal)
}

/**
 * Whether a change takes the labels of a preset out of service, or puts them back. Only an active
 * preset's labels can be used. No other change affects the version that a label points to, because
 * such a version cannot be erased.
 */
export const isServiceChange = (before: State, next: State): boolean => before._tag !== next._tag
