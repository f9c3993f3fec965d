/** Manages operator keys, which manage workspaces and belong to none of them. */

import { Context, DateTime, Effect, Layer, Option, type Redacted } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import { refusal } from "../../domain/schema/Refusal.ts"
import { isValidAt, OperatorKey } from "../../domain/workspace/ApiKey.ts"
import { OperatorKeyStore } from "../../ports/OperatorKeyStore.ts"
import { trace } from "../../ports/Trace.ts"
import { WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import { makeKeyFactory, TokenUnacceptable } from "./ApiKeys.ts"
import { retryUnknownOutcome } from "./WorkspaceReads.ts"

/** The operator key is unknown, revoked or expired. */
export class OperatorKeyUnknown extends refusal<OperatorKeyUnknown>()("OperatorKeyUnknown", {
  sentence: "The operator key is unknown, revoked or expired"
}) {}

/** An operator key with its token, which is shown only once and never stored. */
export interface IssuedOperatorKey {
  readonly key: OperatorKey
  readonly token: Redacted.Redacted
}

/** A request for an operator key, with a given token or a new one. */
interface OperatorKeyOrder {
  readonly token: Option.Option<Redacted.Redacted>
  readonly name?: string | undefined
  readonly expiresAt?: DateTime.Utc | undefined
}

const makeOperatorKeys = Effect.gen(function* () {
  const store = yield* OperatorKeyStore
  const workspaces = yield* WorkspaceStore
  const { hash, make } = yield* makeKeyFactory

  const authenticate = trace("OperatorKeys.authenticate")(function* (token: Redacted.Redacted) {
    const found = yield* store.find(yield* hash(token))
    const now = yield* DateTime.now
    if (Option.isSome(found) && isValidAt(found.value, now)) return found.value
    return yield* new OperatorKeyUnknown()
  })

  const add = Effect.fnUntraced(function* ({ expiresAt, name, token }: OperatorKeyOrder) {
    const { made, ...issued } = yield* make("operator", token)
    const key = OperatorKey.make({ ...made, name: name ?? null, expiresAt: expiresAt ?? null })
    // Without this check, a workspace key's token could become an operator key.
    const taken = yield* workspaces.findKey(made.hash)
    if (Option.isSome(taken)) return yield* new TokenUnacceptable()
    const isAdded = yield* retryUnknownOutcome(store.add(key))
    return { key, token: issued.token, isAdded }
  })

  const issue = trace("OperatorKeys.issue")(function* (order: OperatorKeyOrder) {
    const { isAdded, key, token } = yield* add(order)
    return isAdded ? { key, token } : yield* new TokenUnacceptable()
  })

  return {
    /** Returns the operator key with the given token. */
    authenticate,
    /** Issues an operator key, with the given token or a new one. */
    issue,
    /**
     * Issues an operator key with the given token, unless there is a key with this token. A server
     * that restarts with the same token therefore changes nothing. A revoked key stays revoked.
     */
    ensure: (token: Redacted.Redacted) => Effect.asVoid(add({ token: Option.some(token) })),
    /** Returns all operator keys, including revoked ones, the oldest first. */
    keys: store.keys,
    /** Revokes an operator key. Returns `false` if there is no such key. */
    revoke: (id: OperatorKey["id"]) =>
      Effect.flatMap(DateTime.now, (at) => retryUnknownOutcome(store.revoke(id, at)))
  }
})

export class OperatorKeys extends Context.Service<
  OperatorKeys,
  Effect.Success<typeof makeOperatorKeys>
>()("@verbatim/core/services/OperatorKeys") {
  static readonly layer: Layer.Layer<
    OperatorKeys,
    never,
    Digest.Digest | OperatorKeyStore | SecureRandom.SecureRandom | WorkspaceStore
  > = Layer.effect(OperatorKeys, makeOperatorKeys)
}
