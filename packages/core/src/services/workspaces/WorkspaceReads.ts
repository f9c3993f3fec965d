/**
 * Functions that several services use with the workspace store: they find a workspace, and retry
 * writes with an unknown outcome.
 */

import { Effect, Option, Schema } from "effect"
import { refusal } from "../../domain/schema/Refusal.ts"
import type { WorkspaceId } from "../../domain/workspace/Workspace.ts"
import { makeRetryUnknownOutcome, overdue } from "../../ports/Deadline.ts"
import { WorkspaceStore, WorkspaceStoreError } from "../../ports/WorkspaceStore.ts"

/** The workspace does not exist. */
export class WorkspaceNotFound extends refusal<WorkspaceNotFound>()("WorkspaceNotFound", {
  fields: { id: Schema.String },
  sentence: "There is no such workspace"
}) {}

/**
 * Retries a write, because the workspace store may have written the data even though it failed.
 * Each write has an id, so a retried write counts once.
 */
export const retryUnknownOutcome = makeRetryUnknownOutcome<WorkspaceStoreError>({
  isOutcomeUnknown: () => true,
  isInconclusive: () => false,
  timeoutError: () => new WorkspaceStoreError({ operation: "write", cause: overdue })
})

/**
 * Finds a workspace with its balance. Deleted workspaces are found too, because their ledgers stay.
 */
export const makeFindAccount = Effect.map(
  WorkspaceStore,
  (store) => (id: WorkspaceId) =>
    Effect.flatMap(
      store.account(id),
      Option.match({
        onNone: () => Effect.fail(new WorkspaceNotFound({ id })),
        onSome: Effect.succeed
      })
    )
)

/**
 * Finds a workspace whose deletion has not begun, so that it can receive keys, secrets and credits.
 */
export const makeFindWorkspace = Effect.map(makeFindAccount, (findAccount) =>
  Effect.fnUntraced(function* (id: WorkspaceId) {
    const { workspace } = yield* findAccount(id)
    if (workspace._tag === "Active" || workspace._tag === "Disabled") return workspace
    return yield* new WorkspaceNotFound({ id })
  })
)
