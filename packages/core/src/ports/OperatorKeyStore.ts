/** Port: stores operator keys. */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ApiKeyId, KeyHash, OperatorKey } from "../domain/workspace/ApiKey.ts"
import type { WorkspaceStoreError } from "./WorkspaceStore.ts"

export class OperatorKeyStore extends Context.Service<
  OperatorKeyStore,
  {
    /** Returns the key with the given hash, unless it was revoked. */
    readonly find: (hash: KeyHash) => Effect.Effect<Option.Option<OperatorKey>, WorkspaceStoreError>
    /**
     * Adds a key. Returns `false` if another key with the same hash exists, revoked or not; adding
     * the same key twice has no further effect.
     */
    readonly add: (key: OperatorKey) => Effect.Effect<boolean, WorkspaceStoreError>
    /** All operator keys, including revoked ones, oldest first. */
    readonly keys: Effect.Effect<ReadonlyArray<OperatorKey>, WorkspaceStoreError>
    /**
     * Revokes a key permanently. Returns `false` if there is no such key; revoking it again keeps
     * the first timestamp.
     */
    readonly revoke: (id: ApiKeyId, at: DateTime.Utc) => Effect.Effect<boolean, WorkspaceStoreError>
    /** Records when a key was used, unless a later use is already recorded. */
    readonly noteUse: (id: ApiKeyId, at: DateTime.Utc) => Effect.Effect<void, WorkspaceStoreError>
  }
>()("@verbatim/core/ports/OperatorKeyStore") {}
