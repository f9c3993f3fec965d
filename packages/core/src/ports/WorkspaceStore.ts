/** Port: stores workspaces, their keys, their webhook secrets and their ledgers. */

import { Context, type DateTime, type Effect, type Option, Schema } from "effect"
import type { LedgerLine } from "../domain/job/LedgerLine.ts"
import { refusal } from "../domain/schema/Refusal.ts"
import type { ApiKey, ApiKeyId, KeyHash } from "../domain/workspace/ApiKey.ts"
import type {
  BalanceMillis,
  UsageBy,
  UsageRow,
  UsageSubject,
  UsageTime
} from "../domain/workspace/Usage.ts"
import type { WebhookSecret, WebhookSecretId } from "../domain/workspace/WebhookSecret.ts"
import type { Workspace, WorkspaceId } from "../domain/workspace/Workspace.ts"

/** The store did not respond; a write may or may not have happened. */
export class WorkspaceStoreError extends refusal<WorkspaceStoreError>()("WorkspaceStoreError", {
  fields: { operation: Schema.String, cause: Schema.Defect() },
  sentence: ({ operation }) => `The workspace store failed (${operation})`
}) {}

/** A page of workspaces in order of id, after a given workspace. */
export interface AccountPage {
  readonly after: WorkspaceId | null
  readonly limit: number
}

/** A key with the workspace that it belongs to. */
export interface Bearer {
  readonly key: ApiKey
  readonly workspace: Workspace
}

/** The replacement of a key by another one. */
export interface Rotation {
  readonly id: ApiKeyId
  /** How long the old key stays valid, unless it expires earlier. */
  readonly until: DateTime.Utc
  /** The new key, and the expiry of the old key as the caller read it. */
  readonly successor: ApiKey
}

/** A workspace with its balance. */
export interface Account {
  readonly workspace: Workspace
  readonly balanceMillis: BalanceMillis
}

/**
 * A query for totals of ledger lines: those in a period, and only those of one workspace or one key
 * if given.
 */
export interface UsageQuery extends UsageTime {
  /** The workspace; null for all workspaces. */
  readonly workspaceId: WorkspaceId | null
  /** The key; null for all lines, including charges without a key. */
  readonly keyId: ApiKeyId | null
  readonly by: UsageBy
  /** The day, key or workspace of the last row of the previous page; null for the first page. */
  readonly after: UsageSubject | null
  readonly limit: number
}

/** A query for ledger lines: the newest ones, or those before a given line. */
export interface LedgerQuery {
  readonly workspaceId: WorkspaceId
  /** The position of the last line that was read; null for the newest ones. */
  readonly before: LedgerLine["ordinal"] | null
  /** Maximum number of lines; the caller chooses a number that fits in memory. */
  readonly limit: number
}

/** Minutes credited to a workspace. */
export interface Credit {
  /**
   * A UUID that the caller chooses. If a workspace is credited twice with the same id, the credit
   * counts once.
   */
  readonly id: string
  readonly workspaceId: WorkspaceId
  readonly millis: number
  readonly at: DateTime.Utc
}

export class WorkspaceStore extends Context.Service<
  WorkspaceStore,
  {
    /**
     * Creates the first workspace with its keys and its first credit, in one transaction, and
     * returns `true`. Returns `false`, and writes nothing, if another workspace already exists: of
     * many processes that start on an empty store, exactly one creates the workspace. The call is
     * safe to retry: creating the same workspace again writes nothing, and returns `true`.
     */
    readonly found: (founding: {
      readonly workspace: Workspace
      readonly keys: ReadonlyArray<ApiKey>
      readonly credit: Credit
    }) => Effect.Effect<boolean, WorkspaceStoreError>
    /**
     * Adds a workspace and returns it. If the id or the external id already exists, nothing is
     * written and the existing workspace is returned, preferably the one with the same id.
     * Concurrent calls with the same external id therefore all get the same workspace, and a retry
     * gets the workspace that the first try created.
     */
    readonly create: (workspace: Workspace) => Effect.Effect<Workspace, WorkspaceStoreError>
    /**
     * Writes a changed workspace if the stored one has the revision before it; otherwise, returns
     * `false` and writes nothing. Writing the same change twice counts once.
     */
    readonly replace: (next: Workspace) => Effect.Effect<boolean, WorkspaceStoreError>
    /** Returns workspaces ordered by id, and therefore by creation. */
    readonly accounts: (
      page: AccountPage
    ) => Effect.Effect<ReadonlyArray<Account>, WorkspaceStoreError>
    /** Returns workspaces with a deletion that has begun but not ended, ordered by id. */
    readonly deleting: (
      page: AccountPage
    ) => Effect.Effect<ReadonlyArray<Workspace>, WorkspaceStoreError>
    /** Returns one workspace; none if it does not exist. */
    readonly account: (
      id: WorkspaceId
    ) => Effect.Effect<Option.Option<Account>, WorkspaceStoreError>
    /** Returns the key with the given hash and its workspace, unless the key was revoked. */
    readonly findKey: (hash: KeyHash) => Effect.Effect<Option.Option<Bearer>, WorkspaceStoreError>
    /**
     * Adds a key. Returns `false` if another key with the same hash exists, revoked or not; adding
     * the same key twice has no further effect.
     */
    readonly addKey: (key: ApiKey) => Effect.Effect<boolean, WorkspaceStoreError>
    /** Returns all keys of a workspace, including revoked ones, oldest first. */
    readonly keys: (id: WorkspaceId) => Effect.Effect<ReadonlyArray<ApiKey>, WorkspaceStoreError>
    /**
     * Adds a key and sets the expiry of another key of the same workspace, in one transaction.
     * Returns `false`, and writes nothing, if the old key does not exist, is revoked, or no longer
     * has the successor's expiry, or if the hash is taken; writing the same successor twice counts
     * once. Of several concurrent rotations of one key, exactly one therefore succeeds, and no new
     * key outlives the old key's expiry.
     */
    readonly rotateKey: (rotation: Rotation) => Effect.Effect<boolean, WorkspaceStoreError>
    /** Deletes the keys of a workspace that were revoked or had expired before the given time. */
    readonly forgetKeys: (
      id: WorkspaceId,
      before: DateTime.Utc
    ) => Effect.Effect<void, WorkspaceStoreError>
    /** Records when a key was used, unless a later use is already recorded. */
    readonly noteUse: (id: ApiKeyId, at: DateTime.Utc) => Effect.Effect<void, WorkspaceStoreError>
    /**
     * Revokes a key permanently. Returns `false` if there is no such key; revoking it again keeps
     * the first timestamp.
     */
    readonly revokeKey: (
      id: ApiKeyId,
      at: DateTime.Utc
    ) => Effect.Effect<boolean, WorkspaceStoreError>
    /** Returns the workspace's own secrets, oldest first; empty for an unknown workspace. */
    readonly webhookSecrets: (
      id: WorkspaceId
    ) => Effect.Effect<ReadonlyArray<WebhookSecret>, WorkspaceStoreError>
    /**
     * Adds a secret. Returns `false` if its workspace does not exist; adding the same id twice
     * counts once.
     */
    readonly addWebhookSecret: (
      secret: WebhookSecret
    ) => Effect.Effect<boolean, WorkspaceStoreError>
    /** Deletes a secret of a workspace. Returns `false` if the workspace has no such secret. */
    readonly removeWebhookSecret: (
      id: WorkspaceId,
      secretId: WebhookSecretId
    ) => Effect.Effect<boolean, WorkspaceStoreError>
    /**
     * Adds a credit to a balance and writes a ledger row in one transaction, once for each credit
     * id. Two workspaces can use the same id independently. The ledger rows of a workspace always
     * sum to its balance. Returns none if the workspace does not exist.
     */
    readonly credit: (
      credit: Credit
    ) => Effect.Effect<Option.Option<BalanceMillis>, WorkspaceStoreError>
    /**
     * Returns lines of a ledger, the last booked first, including the ledger of a deleted workspace
     * and the lines of deleted jobs; empty for an unknown workspace. All lines sum to the balance.
     * If each page is read from the last line of the previous one, every line that existed when the
     * first page was read appears exactly once. Lines booked while the pages are read precede the
     * first page. There is one exception: if two lines are booked concurrently and the line with
     * the lower position is written last, that line appears once on a later page, or when the
     * ledger is read again.
     */
    readonly ledger: (
      query: LedgerQuery
    ) => Effect.Effect<ReadonlyArray<LedgerLine>, WorkspaceStoreError>
    /**
     * Returns ledger totals, including those of deleted workspaces: one row for each day, key or
     * workspace that has a line, ordered by day or id; charges without a key precede the keys of
     * their workspace. Each line counts in exactly one row, so the rows on all pages add up to the
     * total of all lines. A charge counts at its commit time.
     */
    readonly usage: (
      query: UsageQuery
    ) => Effect.Effect<ReadonlyArray<UsageRow>, WorkspaceStoreError>
  }
>()("@verbatim/core/ports/WorkspaceStore") {}
