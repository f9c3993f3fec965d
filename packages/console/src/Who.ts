/** Whose keys a session has, as the page is told: what each may do, and never the key itself. */

import type { WorkspaceStoreError } from "@verbatim/core/ports"
import { ApiKeys, OperatorKeys, type WorkspaceDisabled } from "@verbatim/core/services"
import { isAllowed, mayManageKeys, type Principal, scopes } from "@verbatim/core/workspace"
import { Effect, type Redacted } from "effect"
import type { Keys } from "./Sessions.ts"

/** A key of a workspace, and what it may do. */
interface WorkspaceKeyView {
  readonly kind: "inference" | "management"
  readonly workspace_id: string
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

/** Who uses the page. */
export interface SessionView {
  /** Whether a key was shown here, or the host knows its users. */
  readonly by: "key" | "host"
  readonly access: "read" | "write"
  readonly workspace: WorkspaceKeyView | null
  readonly operator: OperatorKeyView | null
}

const toWorkspaceView = (caller: Principal): WorkspaceKeyView => {
  const { kind, scopes: listed = null } = caller
  return {
    kind,
    workspace_id: caller.workspaceId,
    user_id: caller.userId,
    key_id: caller.keyId ?? null,
    scopes: [
      ...scopes.filter((scope) => isAllowed({ kind, scopes: listed }, scope)),
      ...(listed ?? []).filter((scope) => scope.startsWith("labels:"))
    ],
    manages_keys: mayManageKeys({ kind, scopes: listed })
  }
}

/** Looks keys up; null where a key is none of that kind. */
interface LookUps {
  readonly ofWorkspace: (
    key: Redacted.Redacted
  ) => Effect.Effect<WorkspaceKeyView | null, WorkspaceDisabled | WorkspaceStoreError>
  readonly ofOperator: (
    key: Redacted.Redacted
  ) => Effect.Effect<OperatorKeyView | null, WorkspaceStoreError>
  readonly view: (keys: Keys) => Effect.Effect<SessionView, WorkspaceDisabled | WorkspaceStoreError>
}

/** Makes the look-ups. */
export const make: Effect.Effect<LookUps, never, ApiKeys | OperatorKeys> = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const operators = yield* OperatorKeys
  const ofWorkspace = (credential: Redacted.Redacted) =>
    keys.authenticate(credential).pipe(
      Effect.map((caller): WorkspaceKeyView | null => toWorkspaceView(caller)),
      Effect.catchTag("ApiKeyUnknown", () => Effect.succeed(null))
    )
  const ofOperator = (credential: Redacted.Redacted) =>
    operators.authenticate(credential).pipe(
      Effect.map(({ id, name }): OperatorKeyView | null => ({ id, name })),
      Effect.catchTag("OperatorKeyUnknown", () => Effect.succeed(null))
    )
  const view = Effect.fnUntraced(function* ({ operator, workspace }: Keys) {
    const shown: SessionView = {
      by: "key",
      access: "write",
      workspace: workspace === undefined ? null : yield* ofWorkspace(workspace),
      operator: operator === undefined ? null : yield* ofOperator(operator)
    }
    return shown
  })
  return { ofWorkspace, ofOperator, view }
})
