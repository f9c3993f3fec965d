/**
 * Whom a request comes from: whoever the `Authenticator` names, as far as the workspace is there
 * and takes requests. A host knows its users, and need not know what became of a workspace.
 */
import { Workspaces } from "@verbatim/core/services"
import { limitsOf, type Principal } from "@verbatim/core/workspace"
import { Effect } from "effect"
import { Authenticator, Unauthenticated } from "./Authenticator.ts"

/** Makes the question. The look-up of a key has read its workspace already. */
export const makeIdentify: Effect.Effect<
  Authenticator["Service"]["identify"],
  never,
  Authenticator | Workspaces
> = Effect.map(Effect.all([Authenticator, Workspaces]), ([authenticator, workspaces]) => {
  const complete = Effect.fnUntraced(
    function* (caller: Principal) {
      const { workspace } = yield* workspaces.account(caller.workspaceId)
      if (workspace._tag !== "Active") return yield* new Unauthenticated({ reason: "Disabled" })
      return { ...caller, workspaceLimits: limitsOf(workspace) }
    },
    Effect.catchTag("WorkspaceNotFound", () =>
      Effect.fail(new Unauthenticated({ reason: "Unknown" }))
    )
  )
  return (shown) =>
    Effect.flatMap(authenticator.identify(shown), (caller) =>
      caller.workspaceLimits === undefined ? complete(caller) : Effect.succeed(caller)
    )
})
