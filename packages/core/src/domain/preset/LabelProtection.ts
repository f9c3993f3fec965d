/**
 * Labels that only some keys may move: which they are in a workspace, and who decides on that.
 */
import { Schema } from "effect"
import { LabelName } from "../workspace/LabelName.ts"
import type { Principal } from "../workspace/Principal.ts"
import { hasLabelScope } from "../workspace/Scope.ts"
import { UserId, type WorkspaceId } from "../workspace/Workspace.ts"
import { LabelProtected, ManagementKeyRequired } from "./PresetRefusal.ts"

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
