/**
 * Makes keys: a random token, or one that an operator brings, of which a hash is stored.
 */
import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import * as Hex from "effect/encoding/Hex"
import {
  ApiKey,
  ApiKeyId,
  isAcceptableToken,
  KeyHash,
  type KeyPrefix,
  toHint,
  tokenByteLength,
  toToken
} from "../domain/workspace/ApiKey.ts"
import type { KeyOrder } from "../domain/workspace/KeyOrder.ts"
import { noLimits } from "../domain/workspace/Limits.ts"
import { findUngiven, type Giver, isOfKind } from "../domain/workspace/Scope.ts"
import { toUserId, type Workspace } from "../domain/workspace/Workspace.ts"

/** The supplied token is not acceptable, or is already taken. */
export class TokenUnacceptable extends Schema.TaggedError<TokenUnacceptable>()(
  "TokenUnacceptable",
  {}
) {
  override readonly message = "No key can have that token"
}

/** The key asks for a scope that its kind does not have. */
export class ScopeBeyondKind extends Schema.TaggedError<ScopeBeyondKind>()("ScopeBeyondKind", {
  scope: Schema.String
}) {
  override get message(): string {
    return `No key of that kind has the scope ${this.scope}`
  }
}

/** The key would have a scope of a label that whoever asks for it has not. */
export class ScopeNotHeld extends Schema.TaggedError<ScopeNotHeld>()("ScopeNotHeld", {
  scope: Schema.String
}) {
  override get message(): string {
    return `Only an operator gives the scope ${this.scope} to a key`
  }
}

/** Fails where somebody may not give these scopes to a key. */
export const judgeGiver = (
  giver: Giver | undefined,
  scopes: ReadonlyArray<string> | null | undefined
): Effect.Effect<void, ScopeNotHeld> => {
  const scope = findUngiven(giver ?? "operator", scopes ?? [])
  return scope === undefined ? Effect.void : Effect.fail(new ScopeNotHeld({ scope }))
}

/** A key with its token, which is shown once and then forgotten. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly token: Redacted.Redacted
}

/** What every new key has, and its token. */
export interface MadeKey {
  readonly token: Redacted.Redacted
  readonly made: {
    readonly id: ApiKeyId
    readonly hash: KeyHash
    readonly hint: string
    readonly createdAt: DateTime.Utc
    readonly revokedAt: null
    readonly lastUsedAt: null
  }
}

/** What it takes to make keys. */
export type KeyPorts = Digest.Digest | SecureRandom.SecureRandom

/** Makes keys, and hashes tokens. */
export const makeKeyMaking = Effect.gen(function* () {
  const digest = yield* Digest.Digest
  const random = yield* SecureRandom.SecureRandom
  const encoder = new TextEncoder()

  const hash = (token: Redacted.Redacted) =>
    digest
      .digestHex(Digest.sha256, encoder.encode(Redacted.value(token)))
      // The digest has the form of a hash by itself, and this is asked with every request.
      .pipe(Effect.map((hex) => KeyHash.make(hex, { disableChecks: true })))

  const newToken = (prefix: KeyPrefix) =>
    Effect.map(random.randomBytes(tokenByteLength), (bytes) =>
      Redacted.make(toToken(prefix, Hex.encode(bytes)))
    )

  /** A key with a brought token, or with a new one that begins with the prefix of its kind. */
  const make = Effect.fnUntraced(function* (
    prefix: KeyPrefix,
    brought: Option.Option<Redacted.Redacted>
  ): Effect.fn.Return<MadeKey, TokenUnacceptable> {
    const token = Option.isSome(brought) ? brought.value : yield* newToken(prefix)
    if (!isAcceptableToken(Redacted.value(token))) return yield* new TokenUnacceptable()
    return {
      token,
      made: {
        id: ApiKeyId.make(yield* random.uuidV7()),
        hash: yield* hash(token),
        hint: toHint(Redacted.value(token)),
        createdAt: yield* DateTime.now,
        revokedAt: null,
        lastUsedAt: null
      }
    }
  })

  const userOf = Effect.fnUntraced(function* (
    { firstUserId, id }: Workspace,
    holder: string | undefined
  ) {
    if (holder === undefined) return firstUserId
    return toUserId(yield* digest.digestHex(Digest.sha256, encoder.encode(`${id}/${holder}`)))
  })

  /** A key of a workspace, as it was ordered. */
  const makeKey = Effect.fnUntraced(function* (
    workspace: Workspace,
    order: KeyOrder
  ): Effect.fn.Return<IssuedKey, ScopeBeyondKind | TokenUnacceptable> {
    const { holder = null, kind, limits = noLimits, name = null, scopes = null } = order
    const beyond = scopes?.find((scope) => !isOfKind(kind, scope))
    if (beyond !== undefined) return yield* new ScopeBeyondKind({ scope: beyond })
    const { made, token } = yield* make(kind, order.token)
    const key = ApiKey.make({
      ...made,
      workspaceId: workspace.id,
      userId: yield* userOf(workspace, order.holder),
      kind,
      name,
      holder,
      scopes,
      expiresAt: order.expiresAt ?? null,
      ...limits
    })
    return { key, token }
  })

  return { hash, make, makeKey }
})
