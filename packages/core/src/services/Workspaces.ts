/**
 * Workspaces: who a key belongs to, what a workspace has left, and what an operator does with them.
 */

import { Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"
import {
  ApiKey,
  ApiKeyId,
  isAcceptableToken,
  KeyHash,
  type KeyKind,
  toHint,
  tokenByteLength,
  toToken
} from "../domain/workspace/ApiKey.ts"
import { type BalanceMillis, fromMinutes } from "../domain/workspace/Balance.ts"
import type { Principal } from "../domain/workspace/Principal.ts"
import {
  generate,
  type SecretText,
  secretMax,
  WebhookSecret,
  WebhookSecretId
} from "../domain/workspace/WebhookSecret.ts"
import { UserId, Workspace, WorkspaceId } from "../domain/workspace/Workspace.ts"
import { trace } from "../ports/Trace.ts"
import { type Account, WorkspaceStore, type WorkspaceStoreError } from "../ports/WorkspaceStore.ts"
import { makeSettle } from "./LostAnswer.ts"

/** The key is unknown or revoked. */
export class ApiKeyUnknown extends Schema.TaggedError<ApiKeyUnknown>()("ApiKeyUnknown", {}) {}

/** There is no such workspace. */
export class WorkspaceNotFound extends Schema.TaggedError<WorkspaceNotFound>()(
  "WorkspaceNotFound",
  { id: Schema.String }
) {}

/** The supplied token is not acceptable, or is already taken. */
export class TokenUnacceptable extends Schema.TaggedError<TokenUnacceptable>()(
  "TokenUnacceptable",
  {}
) {}

/** The workspace has as many webhook secrets as are allowed. */
export class WebhookSecretsFull extends Schema.TaggedError<WebhookSecretsFull>()(
  "WebhookSecretsFull",
  { max: Schema.Int }
) {}

/** A key with its token, which is shown once and then forgotten. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly token: Redacted.Redacted
}

/** A key to issue: with a supplied token, or with a new one. */
export interface KeyOrder {
  readonly kind: KeyKind
  readonly token: Option.Option<Redacted.Redacted>
}

/** Minutes to add. */
export interface Gift {
  /** May be negative. */
  readonly minutes: number
  /**
   * A UUID of the caller's own. The same one counts once, so a caller who got no answer may ask
   * again. Without it each call is a credit of its own.
   */
  readonly creditId?: string | undefined
}

export class Workspaces extends Context.Service<
  Workspaces,
  {
    /** Whom a token belongs to. */
    readonly authenticate: (
      token: Redacted.Redacted
    ) => Effect.Effect<Principal, ApiKeyUnknown | WorkspaceStoreError>
    readonly balance: (
      id: WorkspaceId
    ) => Effect.Effect<BalanceMillis, WorkspaceNotFound | WorkspaceStoreError>
    /** Founds the first workspace of an empty store; none when it is not empty. */
    readonly found: (founding: {
      readonly keys: ReadonlyArray<KeyOrder>
      readonly minutes: number
    }) => Effect.Effect<
      Option.Option<ReadonlyArray<IssuedKey>>,
      TokenUnacceptable | WorkspaceStoreError
    >
    readonly accounts: Effect.Effect<ReadonlyArray<Account>, WorkspaceStoreError>
    /** Adds minutes, and returns the new balance. */
    readonly credit: (
      id: WorkspaceId,
      gift: Gift
    ) => Effect.Effect<BalanceMillis, WorkspaceNotFound | WorkspaceStoreError>
    /** Issues a key of the workspace's first user. */
    readonly issueKey: (
      id: WorkspaceId,
      order: KeyOrder
    ) => Effect.Effect<IssuedKey, WorkspaceNotFound | TokenUnacceptable | WorkspaceStoreError>
    readonly keys: Effect.Effect<ReadonlyArray<ApiKey>, WorkspaceStoreError>
    /** `false` when there is no such key. */
    readonly revokeKey: (id: ApiKeyId) => Effect.Effect<boolean, WorkspaceStoreError>
    /** What webhooks of a workspace are signed with, oldest first; empty for the default ones. */
    readonly webhookSecrets: (
      id: WorkspaceId
    ) => Effect.Effect<ReadonlyArray<WebhookSecret>, WorkspaceStoreError>
    /** Adds a secret to those of a workspace: from now on webhooks are signed with all of them. */
    readonly addWebhookSecret: (
      id: WorkspaceId
    ) => Effect.Effect<WebhookSecret, WorkspaceNotFound | WebhookSecretsFull | WorkspaceStoreError>
    /** Forgets a secret. `false` when the workspace has no such secret when it is asked. */
    readonly removeWebhookSecret: (
      id: WorkspaceId,
      secretId: WebhookSecretId
    ) => Effect.Effect<boolean, WorkspaceStoreError>
  }
>()("@verbatim/core/services/Workspaces") {
  static readonly layer: Layer.Layer<
    Workspaces,
    never,
    WorkspaceStore | Digest.Digest | SecureRandom.SecureRandom
  > = Layer.effect(
    Workspaces,
    Effect.gen(function* () {
      const store = yield* WorkspaceStore
      const digest = yield* Digest.Digest
      const random = yield* SecureRandom.SecureRandom
      const encoder = new TextEncoder()

      /** Whatever its failure, this store may have written: each write counts once for its id. */
      const settle = makeSettle<WorkspaceStoreError>({
        isLost: () => true,
        isSilent: () => false
      })

      const hash = (token: Redacted.Redacted) =>
        digest
          .digestHex(Digest.sha256, encoder.encode(Redacted.value(token)))
          .pipe(Effect.map((hex) => KeyHash.make(hex)))

      const newToken = Effect.fnUntraced(function* (kind: KeyKind) {
        const bytes = yield* random.randomBytes(tokenByteLength)
        return Redacted.make(toToken(kind, Hex.encode(bytes)))
      })

      const issue = Effect.fnUntraced(function* (workspace: Workspace, order: KeyOrder) {
        const token = yield* Option.match(order.token, {
          onNone: () => newToken(order.kind),
          onSome: Effect.succeed
        })
        if (!isAcceptableToken(Redacted.value(token))) return yield* new TokenUnacceptable()
        const key = ApiKey.make({
          id: ApiKeyId.make(yield* random.uuidV7()),
          workspaceId: workspace.id,
          userId: workspace.firstUserId,
          kind: order.kind,
          hash: yield* hash(token),
          hint: toHint(Redacted.value(token)),
          createdAt: yield* DateTime.now,
          revokedAt: null
        })
        return { key, token }
      })

      const account = Effect.fnUntraced(function* (id: WorkspaceId) {
        const found = yield* store.account(id)
        if (Option.isNone(found)) return yield* new WorkspaceNotFound({ id })
        return found.value
      })

      const authenticate = trace("Workspaces.authenticate")(function* (token: Redacted.Redacted) {
        const found = yield* store.findKey(yield* hash(token))
        if (Option.isNone(found)) return yield* new ApiKeyUnknown()
        const { kind, userId, workspaceId } = found.value
        return { kind, workspaceId, userId }
      })

      const found = trace("Workspaces.found")(function* (founding: {
        readonly keys: ReadonlyArray<KeyOrder>
        readonly minutes: number
      }) {
        const at = yield* DateTime.now
        const workspace = Workspace.make({
          id: WorkspaceId.make(yield* random.uuidV7()),
          name: "default",
          firstUserId: UserId.make(`user_${yield* random.uuidV4()}`),
          createdAt: at
        })
        const issued = yield* Effect.forEach(founding.keys, (order) => issue(workspace, order))
        const hashes = new Set(issued.map(({ key }) => key.hash))
        if (hashes.size < issued.length) return yield* new TokenUnacceptable()
        const credit = {
          id: yield* random.uuidV4(),
          workspaceId: workspace.id,
          millis: fromMinutes(founding.minutes),
          at
        }
        const keys = issued.map(({ key }) => key)
        const isFounded = yield* settle(store.found({ workspace, keys, credit }))
        return isFounded ? Option.some(issued) : Option.none()
      })

      const credit = trace("Workspaces.credit")(function* (
        id: WorkspaceId,
        { creditId, minutes }: Gift
      ) {
        const credit = {
          id: creditId ?? (yield* random.uuidV4()),
          workspaceId: id,
          millis: fromMinutes(minutes),
          at: yield* DateTime.now
        }
        const balance = yield* settle(store.credit(credit))
        if (Option.isNone(balance)) return yield* new WorkspaceNotFound({ id })
        return balance.value
      })

      const issueKey = trace("Workspaces.issueKey")(function* (id: WorkspaceId, order: KeyOrder) {
        const { workspace } = yield* account(id)
        const issued = yield* issue(workspace, order)
        const isAdded = yield* settle(store.addKey(issued.key))
        if (!isAdded) return yield* new TokenUnacceptable()
        return issued
      })

      const newSecret: Effect.Effect<SecretText> = Effect.provideService(
        generate,
        SecureRandom.SecureRandom,
        random
      )

      const addWebhookSecret = trace("Workspaces.addWebhookSecret")(function* (id: WorkspaceId) {
        const { length } = yield* store.webhookSecrets(id)
        if (length >= secretMax) return yield* new WebhookSecretsFull({ max: secretMax })
        const secret = WebhookSecret.make({
          id: WebhookSecretId.make(yield* random.uuidV7()),
          workspaceId: id,
          secret: yield* newSecret,
          createdAt: yield* DateTime.now
        })
        const isAdded = yield* settle(store.addWebhookSecret(secret))
        return isAdded ? secret : yield* new WorkspaceNotFound({ id })
      })

      const removeWebhookSecret = trace("Workspaces.removeWebhookSecret")(function* (
        id: WorkspaceId,
        secretId: WebhookSecretId
      ) {
        const known = yield* store.webhookSecrets(id)
        if (known.every((secret) => secret.id !== secretId)) return false
        // A repeat finds nothing to remove: it was there, and is gone.
        yield* settle(store.removeWebhookSecret(id, secretId))
        return true
      })

      return Workspaces.of({
        authenticate,
        balance: (id) => Effect.map(account(id), ({ balanceMillis }) => balanceMillis),
        found,
        accounts: store.accounts,
        credit,
        issueKey,
        keys: store.keys,
        revokeKey: (id) => Effect.flatMap(DateTime.now, (at) => settle(store.revokeKey(id, at))),
        webhookSecrets: store.webhookSecrets,
        addWebhookSecret,
        removeWebhookSecret
      })
    })
  )
}
