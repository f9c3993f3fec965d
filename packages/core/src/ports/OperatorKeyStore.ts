/**
 * Port: durable memory of the keys of operators.
 */
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { ApiKeyId, KeyHash } from "../domain/workspace/ApiKey.ts"
import type { OperatorKey } from "../domain/workspace/OperatorKey.ts"
import type { WorkspaceStoreError } from "./WorkspaceStore.ts"

export class OperatorKeyStore extends Context.Service<
  OperatorKeyStore,
  {
    /** The key with that hash, unless it was revoked. */
    readonly find: (hash: KeyHash) => Effect.Effect<Option.Option<OperatorKey>, WorkspaceStoreError>
    /**
     * Adds a key. `false` when another key with that hash exists, revoked or not; the same key
     * twice counts once.
     */
    readonly add: (key: OperatorKey) => Effect.Effect<boolean, WorkspaceStoreError>
    /** All of them, revoked ones too, oldest first. */
    readonly keys: Effect.Effect<ReadonlyArray<OperatorKey>, WorkspaceStoreError>
    /** Revokes a key for good. `false` when there is no such key; the first instant stays. */
    readonly revoke: (id: ApiKeyId, at: DateTime.Utc) => Effect.Effect<boolean, WorkspaceStoreError>
    /** Notes that a key was used at an instant, unless a later use is noted. */
    readonly noteUse: (id: ApiKeyId, at: DateTime.Utc) => Effect.Effect<void, WorkspaceStoreError>
  }
>()("@verbatim/core/ports/OperatorKeyStore") {}
