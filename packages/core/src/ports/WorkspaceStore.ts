/**
 * Port: durable memory of workspaces, their keys, their webhook secrets, and their ledgers.
 */

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

/** The store did not answer; a write may or may not have happened. */
export class WorkspaceStoreError extends refusal<WorkspaceStoreError>()("WorkspaceStoreError", {
  fields: { operation: Schema.String, cause: Schema.Defect() },
  sentence: ({ operation }) => `The workspace store failed (${operation})`
}) {}

/** Which workspaces: those after one of them, in the order of their ids. */
export interface AccountPage {
  readonly after: WorkspaceId | null
  readonly limit: number
}

/** A key with the workspace that it belongs to. */
export interface Bearer {
  readonly key: ApiKey
  readonly workspace: Workspace
}

/** A key that takes the place of another one. */
export interface Rotation {
  readonly id: ApiKeyId
  /** Until when the old key is valid still, unless it expires before. */
  readonly until: DateTime.Utc
  /** It ends when the old key would have, as its writer saw it. */
  readonly successor: ApiKey
}

/** A workspace with what it has left. */
export interface Account {
  readonly workspace: Workspace
  readonly balanceMillis: BalanceMillis
}

/** Which lines of ledgers are summed: those in a time, of a workspace and a key if one is named. */
export interface UsageQuery extends UsageTime {
  /** Null for all workspaces. */
  readonly workspaceId: WorkspaceId | null
  /** Null for all keys, and for what no key asked for. */
  readonly keyId: ApiKeyId | null
  readonly by: UsageBy
  /** What the last row before these is about; null for the first ones. */
  readonly after: UsageSubject | null
  readonly limit: number
}

/** Which lines of a ledger: the newest, or those before one of them. */
export interface LedgerQuery {
  readonly workspaceId: WorkspaceId
  /** The place of the last line that was read; null for the newest ones. */
  readonly before: LedgerLine["place"] | null
  /** Most lines in the answer: whoever asks sees to it that it is no more than can be held. */
  readonly limit: number
}

/** Minutes given to a workspace. */
export interface Credit {
  /** A UUID chosen by the caller: the same credit of a workspace twice counts once. */
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
     * returns `true`. Returns `false`, and writes nothing, when any workspace exists already, so
     * that of many processes starting on an empty store exactly one founds it. A repeat is safe:
     * the same workspace again writes nothing either, and returns `true`.
     */
    readonly found: (founding: {
      readonly workspace: Workspace
      readonly keys: ReadonlyArray<ApiKey>
      readonly credit: Credit
    }) => Effect.Effect<boolean, WorkspaceStoreError>
    /**
     * Adds a workspace and returns it, unless its id or its external id is there already: then
     * returns the one that is, the one with its id first, and writes nothing. So of many who ask
     * for one external id at once, all get the same, and a repeat gets its own.
     */
    readonly create: (workspace: Workspace) => Effect.Effect<Workspace, WorkspaceStoreError>
    /**
     * Writes a changed workspace where the stored one has the revision before it. `false`, and
     * nothing is written, where it has not; the same change twice counts once.
     */
    readonly replace: (next: Workspace) => Effect.Effect<boolean, WorkspaceStoreError>
    /** Workspaces in the order of their ids, which is that of their creation. */
    readonly accounts: (
      page: AccountPage
    ) => Effect.Effect<ReadonlyArray<Account>, WorkspaceStoreError>
    /** Workspaces whose deletion has begun and not ended, in the order of their ids. */
    readonly deleting: (
      page: AccountPage
    ) => Effect.Effect<ReadonlyArray<Workspace>, WorkspaceStoreError>
    /** One workspace; none when it does not exist. */
    readonly account: (
      id: WorkspaceId
    ) => Effect.Effect<Option.Option<Account>, WorkspaceStoreError>
    /** The key with that hash and its workspace, unless it was revoked. */
    readonly findKey: (hash: KeyHash) => Effect.Effect<Option.Option<Bearer>, WorkspaceStoreError>
    /**
     * Adds a key. `false` when another key with that hash exists, revoked or not; the same key
     * twice counts once.
     */
    readonly addKey: (key: ApiKey) => Effect.Effect<boolean, WorkspaceStoreError>
    /** All keys of a workspace, revoked ones too, oldest first. */
    readonly keys: (id: WorkspaceId) => Effect.Effect<ReadonlyArray<ApiKey>, WorkspaceStoreError>
    /**
     * Adds a key and lets another one of its workspace expire, in one transaction. `false`, and
     * nothing is written, when there is no such key, it is revoked, its end is no longer that of
     * the successor, or the hash is taken; the same successor twice counts once. So of many who
     * replace one key at once, one does, and nobody gets a key that outlives the old one's end.
     */
    readonly rotateKey: (rotation: Rotation) => Effect.Effect<boolean, WorkspaceStoreError>
    /** Forgets the keys of a workspace that were revoked or had expired before an instant. */
    readonly forgetKeys: (
      id: WorkspaceId,
      before: DateTime.Utc
    ) => Effect.Effect<void, WorkspaceStoreError>
    /** Notes that a key was used at an instant, unless a later use is noted. */
    readonly noteUse: (id: ApiKeyId, at: DateTime.Utc) => Effect.Effect<void, WorkspaceStoreError>
    /** Revokes a key for good. `false` when there is no such key; the first instant stays. */
    readonly revokeKey: (
      id: ApiKeyId,
      at: DateTime.Utc
    ) => Effect.Effect<boolean, WorkspaceStoreError>
    /** The secrets of that workspace and of no other, oldest first; none for an unknown one. */
    readonly webhookSecrets: (
      id: WorkspaceId
    ) => Effect.Effect<ReadonlyArray<WebhookSecret>, WorkspaceStoreError>
    /** Adds a secret. `false` when its workspace does not exist; the same id twice counts once. */
    readonly addWebhookSecret: (
      secret: WebhookSecret
    ) => Effect.Effect<boolean, WorkspaceStoreError>
    /** Forgets a secret of that workspace. `false` when it has no such secret. */
    readonly removeWebhookSecret: (
      id: WorkspaceId,
      secretId: WebhookSecretId
    ) => Effect.Effect<boolean, WorkspaceStoreError>
    /**
     * Adds to a balance, with its ledger row, in one transaction, once for each id of a credit:
     * another workspace may use the same id for a credit of its own. The ledger rows of a workspace
     * always sum to its balance. None when the workspace does not exist.
     */
    readonly credit: (
      credit: Credit
    ) => Effect.Effect<Option.Option<BalanceMillis>, WorkspaceStoreError>
    /**
     * Lines of a ledger, also that of a deleted workspace and for jobs that are gone, the last
     * booked first; none for an unknown workspace. All amounts sum to its balance. Whoever reads on
     * before the last line of each page gets every line that was there at the first page, once, and
     * none twice. What is booked meanwhile comes before the first page; or, where two book at once
     * and the lower place is written last, once on a later page, or when the ledger is read anew.
     */
    readonly ledger: (
      query: LedgerQuery
    ) => Effect.Effect<ReadonlyArray<LedgerLine>, WorkspaceStoreError>
    /**
     * Sums over ledgers, also those of deleted workspaces: a row for each day, key of a workspace,
     * or workspace that has a line, in the order of the days or of the ids; what no key asked for
     * comes before the keys of its workspace. Each line counts in one row, so the rows of all pages
     * sum to the lines. A charge counts when it was committed.
     */
    readonly usage: (
      query: UsageQuery
    ) => Effect.Effect<ReadonlyArray<UsageRow>, WorkspaceStoreError>
  }
>()("@verbatim/core/ports/WorkspaceStore") {}
