/**
 * Who is asking: what a valid API key stands for.
 */
import type { ApiKeyId, KeyKind } from "./ApiKey.ts"
import type { Limits } from "./Limits.ts"
import type { UserId, WorkspaceId } from "./Workspace.ts"

/** The bearer of a valid key, or the host that embeds the library. */
export interface Principal {
  readonly kind: KeyKind
  readonly workspaceId: WorkspaceId
  readonly userId: UserId
  /** What the key may do of what its kind may; left out, or null, for all of it. */
  readonly scopes?: ReadonlyArray<string> | null
  /** Left out by a host, which has none. */
  readonly keyId?: ApiKeyId
  /** What may be asked for with the key at most; no limits where they are left out. */
  readonly limits?: Limits
  /** The same in its workspace, when the key was looked up. */
  readonly workspaceLimits?: Limits
}
