/**
 * Describes a session's keys to the page: the permissions of each key, but never the key itself.
 */

import type { WorkspaceStoreError } from "@verbatim/core/ports"
import { ApiKeys, OperatorKeys, type WorkspaceDisabled, Workspaces } from "@verbatim/core/services"
import {
  isAllowed,
  mayManageKeys,
  type OperatorKey,
  type Principal,
  scopes
} from "@verbatim/core/workspace"
import { Effect, type Redacted } from "effect"
import type { Keys, Owner } from "./Sessions.ts"

/** A workspace key's permissions. */
interface WorkspaceKeyView {
  readonly kind: "inference" | "management"
  readonly workspace_id: string
  readonly workspace_name: string
  readonly user_id: string
  readonly key_id: string | null
  readonly scopes: ReadonlyArray<string>
  readonly manages_keys: boolean
}

/** An operator key. */
interface OperatorKeyView {
  readonly id: string
  readonly name: string | null
}

/** A session as the page sees it. */
export interface SessionView {
  /**
   * Identifies the session in the page's requests, so that a page does not use the keys of another
   * session that the same browser opened later. Null if the user logged in through the host.
   */
  readonly id: string | null
  /** Whether the user logged in with a key or through the host. */
  readonly by: "key" | "host"
  readonly access: "read" | "write"
  readonly workspace: WorkspaceKeyView | null
  readonly operator: OperatorKeyView | null
}

/** A key's owner: a caller from a workspace, or an operator. */
export type KeyOwner =
  | { readonly kind: "workspace"; readonly caller: Principal }
  | { readonly kind: "operator"; readonly key: OperatorKey }

/**
 * Returns a key's owner. A session that is opened with that key counts against the owner's quota.
 */
export const toOwner = (found: KeyOwner): Owner =>
  found.kind === "operator"
    ? { keyId: found.key.id, workspaceId: null }
    : {
        keyId: found.caller.keyId ?? found.caller.userId,
        workspaceId: found.caller.workspaceId
      }

const toWorkspaceView = (caller: Principal, name: string): WorkspaceKeyView => {
  const { kind, scopes: listed = null } = caller
  return {
    kind,
    workspace_id: caller.workspaceId,
    workspace_name: name,
    user_id: caller.userId,
    key_id: caller.keyId ?? null,
    scopes: [
      ...scopes.filter((scope) => isAllowed({ kind, scopes: listed }, scope)),
      ...(listed ?? []).filter((scope) => scope.startsWith("labels:"))
    ],
    manages_keys: mayManageKeys({ kind, scopes: listed })
  }
}

type LookupError = WorkspaceDisabled | WorkspaceStoreError

/** Finds the owners of keys, and describes keys. */
interface KeyLookup {
  /** Returns a key's owner, or undefined if the key is unknown. */
  readonly find: (key: Redacted.Redacted) => Effect.Effect<KeyOwner | undefined, LookupError>
  /**
   * Describes the permissions of a session's keys. The description is null for a key that is
   * unknown or missing.
   */
  readonly view: (keys: Keys) => Effect.Effect<Omit<SessionView, "id">, LookupError>
}

/** Creates the service that finds and describes keys. */
export const make: Effect.Effect<KeyLookup, never, ApiKeys | OperatorKeys | Workspaces> =
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const operators = yield* OperatorKeys
    const workspaces = yield* Workspaces
    const callerOf = (credential: Redacted.Redacted | undefined) =>
      credential === undefined
        ? Effect.succeed(null)
        : Effect.catchTag(keys.authenticate(credential), "ApiKeyUnknown", () =>
            Effect.succeed(null)
          )
    const operatorOf = (credential: Redacted.Redacted | undefined) =>
      credential === undefined
        ? Effect.succeed(null)
        : Effect.catchTag(operators.authenticate(credential), "OperatorKeyUnknown", () =>
            Effect.succeed(null)
          )
    const describe = (caller: Principal) =>
      workspaces.account(caller.workspaceId).pipe(
        Effect.map(({ workspace }) => toWorkspaceView(caller, workspace.name)),
        Effect.catchTag("WorkspaceNotFound", () => Effect.succeed(null))
      )
    const find = Effect.fnUntraced(function* (credential: Redacted.Redacted) {
      const caller = yield* callerOf(credential)
      if (caller !== null) return { kind: "workspace", caller } satisfies KeyOwner
      const key = yield* operatorOf(credential)
      return key === null ? undefined : ({ kind: "operator", key } satisfies KeyOwner)
    })
    const view = Effect.fnUntraced(function* (
      shown: Keys
    ): Effect.fn.Return<Omit<SessionView, "id">, LookupError> {
      const caller = yield* callerOf(shown.workspace)
      const operator = yield* operatorOf(shown.operator)
      return {
        by: "key",
        access: "write",
        workspace: caller === null ? null : yield* describe(caller),
        operator: operator === null ? null : { id: operator.id, name: operator.name }
      }
    })
    return { find, view }
  })
