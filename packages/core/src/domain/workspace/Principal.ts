/**
 * Who is asking: what a valid API key stands for.
 */
import type { KeyKind } from "./ApiKey.ts"
import type { UserId, WorkspaceId } from "./Workspace.ts"

/** The bearer of a valid key, or the host that embeds the library. */
export interface Principal {
  readonly kind: KeyKind
  readonly workspaceId: WorkspaceId
  readonly userId: UserId
}
