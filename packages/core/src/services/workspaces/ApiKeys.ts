/**
 * Manages the keys of workspaces: authenticates tokens, issues, rotates and revokes keys, and
 * records when keys were last used. A token is random, or chosen by an operator, and only its hash
 * is stored.
 */

import {
  Clock,
  Context,
  DateTime,
  Duration,
  Effect,
  FiberSet,
  Layer,
  Option,
  Redacted,
  Schema,
  Semaphore
} from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import * as Hex from "effect/encoding/Hex"
import { refusal } from "../../domain/schema/Refusal.ts"
import {
  ApiKey,
  ApiKeyId,
  findForbiddenScope,
  type Issuer,
  isAcceptableToken,
  isOfKind,
  isValidAt,
  KeyHash,
  type KeyOrder,
  type KeyPrefix,
  type Principal,
  toHint,
  tokenByteLength,
  toToken,
  usePrecision
} from "../../domain/workspace/ApiKey.ts"
import { limitsOf, noLimits } from "../../domain/workspace/Limits.ts"
import { toUserId, type Workspace, type WorkspaceId } from "../../domain/workspace/Workspace.ts"
import { OperatorKeyStore } from "../../ports/OperatorKeyStore.ts"
import { trace } from "../../ports/Trace.ts"
import { type Bearer, WorkspaceStore } from "../../ports/WorkspaceStore.ts"
import { makeFindAccount, makeFindWorkspace, retryUnknownOutcome } from "./WorkspaceReads.ts"

/** The given token is not acceptable, or is already in use. */
export class TokenUnacceptable extends refusal<TokenUnacceptable>()("TokenUnacceptable", {
  sentence: "This token cannot be used for a key"
}) {}

/** The requested scope does not exist for this kind of key. */
export class ScopeBeyondKind extends refusal<ScopeBeyondKind>()("ScopeBeyondKind", {
  fields: {
    scope: Schema.String
  },
  sentence: ({ scope }) => `No key of that kind has the scope ${scope}`
}) {}

/** The key would have a label scope that the caller does not have. */
export class ScopeNotHeld extends refusal<ScopeNotHeld>()("ScopeNotHeld", {
  fields: {
    scope: Schema.String
  },
  sentence: ({ scope }) => `Only an operator can give the scope ${scope} to a key`
}) {}

/** Fails unless the issuer can give these scopes to a key. */
const checkGiver = (
  giver: Issuer | undefined,
  scopes: ReadonlyArray<string> | null | undefined
): Effect.Effect<void, ScopeNotHeld> => {
  const scope = findForbiddenScope(giver ?? "operator", scopes ?? [])
  return scope === undefined ? Effect.void : Effect.fail(new ScopeNotHeld({ scope }))
}

/** A key with its token, which is shown only once and never stored. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly token: Redacted.Redacted
}

const encoder = new TextEncoder()

/** Creates the functions that create and hash tokens. */
const makeTokens = Effect.gen(function* () {
  const digest = yield* Digest.Digest
  const random = yield* SecureRandom.SecureRandom

  const hash = (token: Redacted.Redacted) =>
    digest
      .digestHex(Digest.sha256, encoder.encode(Redacted.value(token)))
      // The digest always has the form of a hash, so this code, which runs for every request, does
      // not validate it.
      .pipe(Effect.map((hex) => KeyHash.make(hex, { disableChecks: true })))

  const newToken = (prefix: KeyPrefix) =>
    Effect.map(random.randomBytes(tokenByteLength), (bytes) =>
      Redacted.make(toToken(prefix, Hex.encode(bytes)))
    )

  /**
   * Creates the fields of a key with the given token, or with a new one that begins with the prefix
   * of its kind.
   */
  const make = Effect.fnUntraced(function* (
    prefix: KeyPrefix,
    brought: Option.Option<Redacted.Redacted>
  ) {
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

  return { hash, make }
})

/** Creates the functions that create keys and hash tokens. */
export const makeKeyFactory = Effect.gen(function* () {
  const digest = yield* Digest.Digest
  const { hash, make } = yield* makeTokens

  const userOf = Effect.fnUntraced(function* (
    { firstUserId, id }: Workspace,
    holder: string | undefined
  ) {
    if (holder === undefined) return firstUserId
    return toUserId(yield* digest.digestHex(Digest.sha256, encoder.encode(`${id}/${holder}`)))
  })

  /** Creates the requested key for a workspace. */
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

/** The key is unknown, revoked or expired. */
export class ApiKeyUnknown extends refusal<ApiKeyUnknown>()("ApiKeyUnknown", {
  sentence: "The key is unknown, revoked or expired"
}) {}

/** The key's workspace is disabled or is being deleted. */
export class WorkspaceDisabled extends refusal<WorkspaceDisabled>()("WorkspaceDisabled", {
  sentence: "The workspace is disabled"
}) {}

/** The workspace has the maximum number of keys, and none of them has ended. */
export class KeysFull extends refusal<KeysFull>()("KeysFull", {
  fields: { max: Schema.Int },
  sentence: ({ max }) => `The workspace has ${max} keys, as many as are allowed`
}) {}

/** The workspace has no such key to replace: the key is unknown, revoked or expired. */
export class KeyNotReplaceable extends refusal<KeyNotReplaceable>()("KeyNotReplaceable", {
  sentence: "The workspace has no such key that could be replaced"
}) {}

/**
 * Maximum number of keys in a workspace, including those that ended recently: more than a person
 * can distinguish.
 */
export const keyMax = 1_000

/**
 * Minimum ages at which ended keys are deleted from a workspace with the maximum number of keys: 30
 * days, or any age if a new key still needs the space.
 */
const endedDurations = [Duration.days(30), Duration.zero]

/** A key to replace, and how long both keys are valid. */
export interface KeyRotation extends Pick<KeyOrder, "giver"> {
  readonly keyId: ApiKeyId
  readonly overlap: Duration.Duration
}

type Unauthorized = ApiKeyUnknown | WorkspaceDisabled

/** Returns the caller that a valid key identifies. */
const toPrincipal = ({ key, workspace }: Bearer): Effect.Effect<Principal, WorkspaceDisabled> => {
  if (workspace._tag !== "Active") return Effect.fail(new WorkspaceDisabled())
  const { id: keyId, kind, scopes, userId, workspaceId } = key
  const [limits, workspaceLimits] = [limitsOf(key), limitsOf(workspace)]
  return Effect.succeed({ kind, workspaceId, userId, scopes, keyId, limits, workspaceLimits })
}

// This function runs for every request, so it is written without a generator.
const judge = (found: Option.Option<Bearer>): Effect.Effect<Principal, Unauthorized> => {
  if (Option.isNone(found)) return Effect.fail(new ApiKeyUnknown())
  const { key } = found.value
  if (key.expiresAt === null) return toPrincipal(found.value)
  return Effect.flatMap(
    DateTime.now,
    (now): Effect.Effect<Principal, Unauthorized> =>
      isValidAt(key, now) ? toPrincipal(found.value) : Effect.fail(new ApiKeyUnknown())
  )
}

/**
 * Creates a function that frees space by deleting keys that ended long ago or, if there are none,
 * all ended keys.
 */
const makeEnsureSpace = Effect.map(WorkspaceStore, (store) =>
  Effect.fnUntraced(function* (id: WorkspaceId) {
    const isFull = Effect.map(store.keys(id), ({ length }) => length >= keyMax)
    if (!(yield* isFull)) return
    const now = yield* DateTime.now
    for (const duration of endedDurations) {
      yield* store.forgetKeys(id, DateTime.subtractDuration(now, duration))
      if (!(yield* isFull)) return
    }
    return yield* new KeysFull({ max: keyMax })
  })
)

const makeApiKeys = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  const { hash, make, makeKey } = yield* makeKeyFactory
  const ensureSpace = yield* makeEnsureSpace
  const find = yield* makeFindWorkspace
  const findAccount = yield* makeFindAccount

  const authenticate = trace("ApiKeys.authenticate")((token: Redacted.Redacted) =>
    Effect.flatMap(Effect.flatMap(hash(token), store.findKey), judge)
  )

  const issue = trace("ApiKeys.issue")(function* (id: WorkspaceId, order: KeyOrder) {
    const workspace = yield* find(id)
    yield* checkGiver(order.giver, order.scopes)
    yield* ensureSpace(id)
    const issued = yield* makeKey(workspace, order)
    const isAdded = yield* retryUnknownOutcome(store.addKey(issued.key))
    return isAdded ? issued : yield* new TokenUnacceptable()
  })

  const keys = (id: WorkspaceId) => Effect.andThen(findAccount(id), store.keys(id))

  const rotate = trace("ApiKeys.rotate")(function* (
    id: WorkspaceId,
    { giver, keyId, overlap }: KeyRotation
  ) {
    yield* find(id)
    yield* ensureSpace(id)
    const now = yield* DateTime.now
    const old = (yield* store.keys(id)).find((key) => key.id === keyId)
    if (old === undefined || !isValidAt(old, now)) return yield* new KeyNotReplaceable()
    yield* checkGiver(giver, old.scopes)
    const { made, token } = yield* make(old.kind, Option.none())
    const key = ApiKey.make({ ...old, ...made })
    const rotation = { id: keyId, until: DateTime.addDuration(now, overlap), successor: key }
    const isRotated = yield* retryUnknownOutcome(store.rotateKey(rotation))
    return isRotated ? { key, token } : yield* new KeyNotReplaceable()
  })

  const revoke = trace("ApiKeys.revoke")(function* (keyId: ApiKeyId, owner?: WorkspaceId) {
    const known = owner === undefined ? undefined : yield* store.keys(owner)
    if (known?.every(({ id }) => id !== keyId)) return false
    return yield* retryUnknownOutcome(store.revokeKey(keyId, yield* DateTime.now))
  })

  return {
    /** Returns the caller that a token identifies. */
    authenticate,
    /** Issues a key for a holder, or for the workspace's first user. */
    issue,
    /** Returns the keys of a workspace, including revoked ones, the oldest first. */
    keys,
    /**
     * Issues a key with the same settings as an existing one. The old key stays valid for a while,
     * so that both work until the new one is used everywhere. Fails if the caller is not allowed to
     * create such a key.
     */
    rotate,
    /**
     * Revokes a key immediately. Returns `false` if the key does not exist or belongs to a
     * different workspace.
     */
    revoke
  }
})

export class ApiKeys extends Context.Service<ApiKeys, Effect.Success<typeof makeApiKeys>>()(
  "@verbatim/core/services/ApiKeys"
) {
  static readonly layer: Layer.Layer<
    ApiKeys,
    never,
    Digest.Digest | SecureRandom.SecureRandom | WorkspaceStore
  > = Layer.effect(ApiKeys, makeApiKeys)
}

/**
 * Maximum number of keys for which the last recorded use is remembered. If there are more keys,
 * some uses are recorded more often.
 */
const rememberedMax = 100_000

/**
 * Maximum number of uses that are recorded at the same time, because a newly started server has
 * many uses to record.
 */
const atOnceMax = 2

const makeLastUsedTracker = Effect.gen(function* () {
  const workspaces = yield* WorkspaceStore
  const operators = yield* OperatorKeyStore
  const run = yield* FiberSet.makeRuntime<never>()
  const permits = yield* Semaphore.make(atOnceMax)
  const precisionMillis = Duration.toMillis(usePrecision)
  const recordedAt = new Map<ApiKeyId, number>()

  const record = (store: Store, id: ApiKeyId, millis: number) =>
    store.noteUse(id, DateTime.makeUnsafe(millis)).pipe(
      // If the write fails, the next use of the key is recorded immediately.
      Effect.catch(() => Effect.sync(() => recordedAt.delete(id))),
      permits.withPermit
    )

  const noteIn = (store: Store) => (id: ApiKeyId) =>
    Effect.withFiber((fiber) => {
      const millis = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      const last = recordedAt.get(id)
      if (last !== undefined && millis - last < precisionMillis) return Effect.void
      if (recordedAt.size >= rememberedMax) recordedAt.clear()
      recordedAt.set(id, millis)
      run(record(store, id, millis))
      return Effect.void
    })

  return {
    /** Records that a workspace key has just been used. */
    note: noteIn(workspaces),
    /** Records that an operator key has just been used. */
    noteOperator: noteIn(operators)
  }
})

export class LastUsedTracker extends Context.Service<
  LastUsedTracker,
  Effect.Success<typeof makeLastUsedTracker>
>()("@verbatim/core/services/LastUsedTracker") {
  static readonly layer: Layer.Layer<LastUsedTracker, never, OperatorKeyStore | WorkspaceStore> =
    Layer.effect(LastUsedTracker, makeLastUsedTracker)
}

type Store = Pick<WorkspaceStore["Service"], "noteUse">
