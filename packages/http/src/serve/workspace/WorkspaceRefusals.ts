/**
 * The refusals of the operations on workspaces and keys on the wire, one table for each kind of
 * operation. A failed store dies: what is answered then is the same everywhere.
 */
import type { PresetStoreError } from "@verbatim/core/ports"
import { describe } from "@verbatim/core/schema"
import type { KeysFull, ScopeBeyondKind, ScopeNotHeld } from "@verbatim/core/services"
import { Effect } from "effect"
import { refuse, refuseAs } from "../../contract/preset/PresetParameters.ts"

/** Refusals of the operation that reads a workspace. */
export const readRefusals = {
  WorkspaceNotFound: () => refuse(404, "Workspace not found"),
  WorkspaceStoreError: Effect.die
} as const

const InvalidRequest = refuseAs(400)

/** Refusals of the operation that makes a workspace. */
export const creationRefusals = {
  InvalidRequest,
  ExternalIdTaken: () => refuse(409, "Another workspace has this external_id"),
  WorkspaceStoreError: Effect.die
} as const

/** Refusals of the operation that makes a workspace where there is none. */
export const ensureRefusals = { InvalidRequest, WorkspaceStoreError: Effect.die } as const

/** Refusals of the operation that deletes a workspace. */
export const removalRefusals = {
  ...readRefusals,
  WorkspaceContended: () => refuse(409, "Resource conflict. Please try again later.")
} as const

/** Refusals of the operation that changes a workspace. */
export const changeRefusals = { ...removalRefusals, InvalidRequest } as const

/** Refusals of the operation that gives minutes. */
export const creditRefusals = { ...readRefusals, InvalidRequest } as const

/** A write of a protection that the store did not take. */
const refuseProtection = (error: PresetStoreError) => {
  switch (error.reason._tag) {
    case "Contended":
      return refuse(409, "Resource conflict. Please try again later.")
    case "WorkspaceMissing":
      return refuse(404, "Workspace not found")
    default:
      return Effect.die(error)
  }
}

const unprotectRefusals = {
  ...readRefusals,
  InvalidRequest,
  // Neither is said to an operator.
  LabelProtected: Effect.die,
  ManagementKeyRequired: Effect.die,
  PresetStoreError: refuseProtection
} as const

/** Refusals of the operations of operators on protected labels. */
export const protectionRefusals = {
  list: { ...readRefusals, PresetStoreError: Effect.die },
  protect: { ...unprotectRefusals, ProtectedLabelsFull: refuseAs(409) },
  unprotect: unprotectRefusals
} as const

const revokeRefusals = {
  ...readRefusals,
  KeyNotReplaceable: () => refuse(404, "Key not found")
} as const

const issueRefusals = {
  ...readRefusals,
  InvalidRequest,
  KeysFull: ({ max }: KeysFull) => refuse(409, `The workspace has ${max} keys already`),
  ScopeBeyondKind: ({ scope }: ScopeBeyondKind) =>
    refuse(400, describe([{ path: "scopes", rule: `${scope} needs a management key` }])),
  ScopeNotHeld: ({ scope }: ScopeNotHeld) =>
    refuse(400, describe([{ path: "scopes", rule: `only an operator gives ${scope}` }])),
  // Tokens are random here: that one is taken cannot be.
  TokenUnacceptable: Effect.die
} as const

/** Refusals of the operations on keys. */
export const keyRefusals = {
  list: readRefusals,
  revoke: revokeRefusals,
  issue: issueRefusals,
  rotate: { ...issueRefusals, ...revokeRefusals }
} as const
