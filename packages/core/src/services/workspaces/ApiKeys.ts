/**
 * The keys of workspaces: whom a token stands for, how keys are made, replaced and revoked, and
 * when they were last used. A key is a random token, or one that an operator brings, of which a
 * hash is stored.
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
  findUngiven,
  type Giver,
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
import {
  type Bearer,
  WorkspaceStore,
  type WorkspaceStoreError
} from "../../ports/WorkspaceStore.ts"
import {
  makeFindAccount,
  makeFindWorkspace,
  settle,
  type WorkspaceNotFound
} from "./WorkspaceReads.ts"

/** The supplied token is not acceptable, or is already taken. */
export class TokenUnacceptable extends refusal<TokenUnacceptable>()("TokenUnacceptable", {
  sentence: "No key can have that token"
}) {}

/** The key asks for a scope that its kind does not have. */
export class ScopeBeyondKind extends refusal<ScopeBeyondKind>()("ScopeBeyondKind", {
  fields: {
    scope: Schema.String
  },
  sentence: ({ scope }) => `No key of that kind has the scope ${scope}`
}) {}

/** The key would have a scope of a label that whoever asks for it has not. */
export class ScopeNotHeld extends refusal<ScopeNotHeld>()("ScopeNotHeld", {
  fields: {
    scope: Schema.String
  },
  sentence: ({ scope }) => `Only an operator gives the scope ${scope} to a key`
}) {}

/** Fails where somebody may not give these scopes to a key. */
const judgeGiver = (
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

/** The key is unknown, revoked or expired. */
export class ApiKeyUnknown extends refusal<ApiKeyUnknown>()("ApiKeyUnknown", {
  sentence: "The key is unknown, revoked or expired"
}) {}

/** The workspace of the key is disabled, or is being deleted. */
export class WorkspaceDisabled extends refusal<WorkspaceDisabled>()("WorkspaceDisabled", {
  sentence: "The workspace is disabled"
}) {}

/** The workspace has as many keys as are allowed, and none that ended long ago. */
export class KeysFull extends refusal<KeysFull>()("KeysFull", {
  fields: { max: Schema.Int },
  sentence: ({ max }) => `The workspace has ${max} keys, as many as are allowed`
}) {}

/** The workspace has no such key that could be replaced: it is unknown, revoked or expired. */
export class KeyNotReplaceable extends refusal<KeyNotReplaceable>()("KeyNotReplaceable", {
  sentence: "The workspace has no such key that could be replaced"
}) {}

/** Keys of one workspace, those that ended lately too: more than a person can tell apart. */
export const keyMax = 1_000

/**
 * How long an ended key is told in the list of a workspace that has as many as it may: no longer
 * than until a new one needs its place.
 */
const endedDurations = [Duration.days(30), Duration.zero]

/** A key to replace, and for how long both shall work. */
export interface KeyRotation extends Pick<KeyOrder, "giver"> {
  readonly keyId: ApiKeyId
  readonly overlap: Duration.Duration
}

type Issue = IssueRefusal | TokenUnacceptable | WorkspaceNotFound | WorkspaceStoreError
type IssueRefusal = KeysFull | ScopeBeyondKind | ScopeNotHeld

type Unauthorized = ApiKeyUnknown | WorkspaceDisabled

/** Whom a valid key stands for. */
const toPrincipal = ({ key, workspace }: Bearer): Effect.Effect<Principal, WorkspaceDisabled> => {
  if (workspace._tag !== "Active") return Effect.fail(new WorkspaceDisabled())
  const { id: keyId, kind, scopes, userId, workspaceId } = key
  const [limits, workspaceLimits] = [limitsOf(key), limitsOf(workspace)]
  return Effect.succeed({ kind, workspaceId, userId, scopes, keyId, limits, workspaceLimits })
}

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Whom a token stands for. */
    readonly authenticate: (
      token: Redacted.Redacted
    ) => Effect.Effect<Principal, ApiKeyUnknown | WorkspaceDisabled | WorkspaceStoreError>
    /** Issues a key of a user, or of the workspace's first one. */
    readonly issue: (id: WorkspaceId, order: KeyOrder) => Effect.Effect<IssuedKey, Issue>
    /** The keys of a workspace, revoked ones too, oldest first. */
    readonly keys: (
      id: WorkspaceId
    ) => Effect.Effect<ReadonlyArray<ApiKey>, WorkspaceNotFound | WorkspaceStoreError>
    /**
     * Issues a key that is like another one, which goes on being valid for a while, so that both
     * work until the new one is everywhere. Whoever could not order such a key gets none.
     */
    readonly rotate: (
      id: WorkspaceId,
      rotation: KeyRotation
    ) => Effect.Effect<IssuedKey, Issue | KeyNotReplaceable>
    /** Revokes a key at once. `false` when there is none, or, if one is named, in no workspace. */
    readonly revoke: (
      keyId: ApiKeyId,
      owner?: WorkspaceId
    ) => Effect.Effect<boolean, WorkspaceStoreError>
  }
>()("@verbatim/core/services/ApiKeys") {
  static readonly layer: Layer.Layer<ApiKeys, never, KeyPorts | WorkspaceStore> = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const store = yield* WorkspaceStore
      const { hash, make, makeKey } = yield* makeKeyMaking
      const find = yield* makeFindWorkspace
      const findAccount = yield* makeFindAccount

      /** Makes room by forgetting what ended long ago, or else all that has ended. */
      const haveRoom = Effect.fnUntraced(function* (id: WorkspaceId) {
        const isFull = Effect.map(store.keys(id), ({ length }) => length >= keyMax)
        if (!(yield* isFull)) return
        const now = yield* DateTime.now
        for (const duration of endedDurations) {
          yield* store.forgetKeys(id, DateTime.subtractDuration(now, duration))
          if (!(yield* isFull)) return
        }
        return yield* new KeysFull({ max: keyMax })
      })

      // Every request comes through here, so it is written without a generator.
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

      const authenticate = trace("ApiKeys.authenticate")((token: Redacted.Redacted) =>
        Effect.flatMap(Effect.flatMap(hash(token), store.findKey), judge)
      )

      const issue = trace("ApiKeys.issue")(function* (id: WorkspaceId, order: KeyOrder) {
        const workspace = yield* find(id)
        yield* judgeGiver(order.giver, order.scopes)
        yield* haveRoom(id)
        const issued = yield* makeKey(workspace, order)
        const isAdded = yield* settle(store.addKey(issued.key))
        return isAdded ? issued : yield* new TokenUnacceptable()
      })

      const keys = (id: WorkspaceId) => Effect.andThen(findAccount(id), store.keys(id))

      const rotate = trace("ApiKeys.rotate")(function* (
        id: WorkspaceId,
        { giver, keyId, overlap }: KeyRotation
      ) {
        yield* find(id)
        yield* haveRoom(id)
        const now = yield* DateTime.now
        const old = (yield* store.keys(id)).find((key) => key.id === keyId)
        if (old === undefined || !isValidAt(old, now)) return yield* new KeyNotReplaceable()
        yield* judgeGiver(giver, old.scopes)
        const { made, token } = yield* make(old.kind, Option.none())
        const key = ApiKey.make({ ...old, ...made })
        const until = DateTime.addDuration(now, overlap)
        const isRotated = yield* settle(store.rotateKey({ id: keyId, until, successor: key }))
        return isRotated ? { key, token } : yield* new KeyNotReplaceable()
      })

      const revoke = trace("ApiKeys.revoke")(function* (keyId: ApiKeyId, owner?: WorkspaceId) {
        const known = owner === undefined ? undefined : yield* store.keys(owner)
        if (known?.every(({ id }) => id !== keyId)) return false
        return yield* settle(store.revokeKey(keyId, yield* DateTime.now))
      })

      return ApiKeys.of({ authenticate, issue, keys, rotate, revoke })
    })
  )
}

/** Keys remembered as told. With more of them some are told again before the time has passed. */
const rememberedMax = 100_000

/** Uses told at the same time: a server that was just started has many to tell. */
const atOnceMax = 2

export class LastUsedTracker extends Context.Service<
  LastUsedTracker,
  {
    /** Notes that a key of a workspace is used now. */
    readonly note: (id: ApiKeyId) => Effect.Effect<void>
    /** Notes that an operator key is used now. */
    readonly noteOperator: (id: ApiKeyId) => Effect.Effect<void>
  }
>()("@verbatim/core/services/LastUsedTracker") {
  static readonly layer: Layer.Layer<LastUsedTracker, never, OperatorKeyStore | WorkspaceStore> =
    Layer.effect(
      LastUsedTracker,
      Effect.gen(function* () {
        const workspaces = yield* WorkspaceStore
        const operators = yield* OperatorKeyStore
        const run = yield* FiberSet.makeRuntime<never>()
        const places = yield* Semaphore.make(atOnceMax)
        const precisionMillis = Duration.toMillis(usePrecision)
        const told = new Map<ApiKeyId, number>()

        const tell = (store: Store, id: ApiKeyId, millis: number) =>
          store.noteUse(id, DateTime.makeUnsafe(millis)).pipe(
            // The next use tells it again.
            Effect.catch(() => Effect.sync(() => told.delete(id))),
            places.withPermit
          )

        const noteIn = (store: Store) => (id: ApiKeyId) =>
          Effect.withFiber((fiber) => {
            const millis = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
            const last = told.get(id)
            if (last !== undefined && millis - last < precisionMillis) return Effect.void
            if (told.size >= rememberedMax) told.clear()
            told.set(id, millis)
            run(tell(store, id, millis))
            return Effect.void
          })

        return LastUsedTracker.of({ note: noteIn(workspaces), noteOperator: noteIn(operators) })
      })
    )
}

type Store = Pick<WorkspaceStore["Service"], "noteUse">
