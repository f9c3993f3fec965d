/**
 * The refusals of the preset operations on the wire, one table for each kind of operation.
 */
import type { PresetStoreError } from "@verbatim/core/ports"
import type { ConditionFailed, PresetInactive, Unmet } from "@verbatim/core/preset"
import { Effect } from "effect"
import { refuse, refuseAs } from "../../contract/preset/PresetParameters.ts"

/** What a failed precondition tells. */
const unmetMessages: Readonly<Record<Unmet, string>> = {
  Absent: "Preset does not exist",
  Exists: "Preset already exists",
  Moved: "The designated version has changed",
  NotMoved: "The designated version has not changed"
}

/** The same about a label. */
const unmetLabelMessages: Readonly<Record<Unmet, string>> = {
  Absent: "Label does not exist",
  Exists: "Label already exists",
  Moved: "The label has moved",
  NotMoved: "The label has not moved"
}

/** Refuses a write that the store did not take: callers can try again, or restore the preset. */
const refuseWrite = (error: PresetStoreError) => {
  switch (error.reason._tag) {
    case "Contended":
    // Only the protection of a label finds no place, which its service refuses itself.
    case "Full":
    case "KeyTaken":
    case "Superseded":
      return refuse(409, "Resource conflict. Please try again later.")
    case "Archived":
      return refuse(409, "Preset is archived")
    case "WorkspaceMissing":
      return refuse(404, "Workspace not found")
    case "ConditionFailed":
      return refuse(409, unmetMessages[error.reason.unmet])
    case "Unavailable":
      return Effect.die(error)
  }
}

/** Refusals of operations that read a preset. A failed read dies: authentication answers. */
export const readRefusals = {
  InvalidRequest: refuseAs(400),
  PresetNotFound: () => refuse(404, "Preset not found"),
  PresetStoreError: Effect.die
} as const

/** Refusals of operations that read a version. */
export const versionRefusals = {
  ...readRefusals,
  VersionNotFound: () => refuse(404, "Version not found")
} as const

/** A preset that is not active is not used. */
const inactiveRefusal = {
  PresetInactive: ({ status }: PresetInactive) => refuse(409, `Preset is ${status}`)
} as const

/** Refusals of operations that name a version by a label, too. */
const pointRefusals = {
  ...versionRefusals,
  LabelNotFound: () => refuse(404, "Label not found")
} as const

/** Refusals of operations that read a label. */
export const labelRefusals = {
  ...readRefusals,
  LabelNotFound: pointRefusals.LabelNotFound
} as const

/** Refusals of the operation that compares versions. */
export const comparisonRefusals = pointRefusals

/** Refusals of operations that use a preset. */
export const resolutionRefusals = {
  ...pointRefusals,
  ...inactiveRefusal,
  VersionErased: refuseAs(409)
} as const

/** Refusals of operations that tell what a request would become. */
export const previewRefusals = {
  ...inactiveRefusal,
  InvalidRequest: readRefusals.InvalidRequest,
  PresetStoreError: readRefusals.PresetStoreError
} as const

/** Refusals of operations that list presets. */
export const listRefusals = {
  InvalidRequest: readRefusals.InvalidRequest,
  PresetStoreError: readRefusals.PresetStoreError
} as const

const writeRefusals = {
  ConditionFailed: ({ label, unmet }: ConditionFailed) =>
    refuse(409, (label === undefined ? unmetMessages : unmetLabelMessages)[unmet]),
  InvalidRequest: refuseAs(400),
  ManagementKeyRequired: () => refuse(403, "Only management keys can perform this operation"),
  PresetStoreError: refuseWrite
} as const

/** Refusals of operations that make a version. For a staged one the designated one is read. */
export const creationRefusals = {
  ...writeRefusals,
  ...inactiveRefusal,
  IdempotencyConflict: refuseAs(409),
  VersionNotFound: versionRefusals.VersionNotFound
} as const

/** Refusals of the operation that makes a version from another one. */
export const partsRefusals = {
  ...creationRefusals,
  PresetNotFound: versionRefusals.PresetNotFound,
  LabelNotFound: pointRefusals.LabelNotFound,
  VersionErased: refuseAs(409)
} as const

/** Refusals of operations that change a preset. */
const changeRefusals = {
  ...writeRefusals,
  ...inactiveRefusal,
  PresetNotFound: readRefusals.PresetNotFound
} as const

/** Refusals of the operation that changes status, name or description. */
export const revisionRefusals = {
  ...changeRefusals,
  LabelProtected: refuseAs(403)
} as const

/** Refusals of the operation that designates a version. */
export const designationRefusals = {
  ...changeRefusals,
  VersionErased: refuseAs(409),
  VersionNotFound: versionRefusals.VersionNotFound
} as const

/** Refusals of the operation that takes a label away. */
export const labelRemovalRefusals = {
  ...changeRefusals,
  LabelNotFound: labelRefusals.LabelNotFound,
  LabelProtected: refuseAs(403)
} as const

/** Refusals of the operation that moves a label. */
export const labelMoveRefusals = {
  ...labelRemovalRefusals,
  LabelsFull: refuseAs(409),
  VersionErased: refuseAs(409),
  VersionNotFound: versionRefusals.VersionNotFound
} as const

/** Refusals of the operation that lifts the protection of a label. */
export const unprotectionRefusals = {
  InvalidRequest: refuseAs(400),
  LabelProtected: refuseAs(403),
  ManagementKeyRequired: writeRefusals.ManagementKeyRequired,
  PresetStoreError: refuseWrite
} as const

/** Refusals of the operation that protects a label. */
export const protectionRefusals = {
  ...unprotectionRefusals,
  ProtectedLabelsFull: refuseAs(409)
} as const

/** Refusals of the operation that erases the content of a version. */
export const erasureRefusals = {
  ...writeRefusals,
  PresetNotFound: readRefusals.PresetNotFound,
  VersionInUse: refuseAs(409),
  VersionNotFound: versionRefusals.VersionNotFound
} as const

/** Refusals of the operation that removes a preset. */
export const removalRefusals = {
  ...writeRefusals,
  LabelProtected: refuseAs(403),
  PresetNotArchived: refuseAs(409),
  PresetNotFound: readRefusals.PresetNotFound
} as const
