/**
 * The keys of workspaces: whom a token stands for, and how keys come and go.
 */
import { Context, DateTime, Duration, Effect, Layer, Option, type Redacted, Schema } from "effect"
import { ApiKey, type ApiKeyId, isValidAt } from "../domain/workspace/ApiKey.ts"
import type { KeyOrder } from "../domain/workspace/KeyOrder.ts"
import { limitsOf } from "../domain/workspace/Limits.ts"
import type { Principal } from "../domain/workspace/Principal.ts"
import type { WorkspaceId } from "../domain/workspace/Workspace.ts"
import { trace } from "../ports/Trace.ts"
import { type Bearer, WorkspaceStore, type WorkspaceStoreError } from "../ports/WorkspaceStore.ts"
import {
  type IssuedKey,
  judgeGiver,
  type KeyPorts,
  makeKeyMaking,
  type ScopeBeyondKind,
  type ScopeNotHeld,
  TokenUnacceptable
} from "./KeyMaking.ts"
import {
  makeFindAccount,
  makeFindWorkspace,
  settle,
  type WorkspaceNotFound
} from "./WorkspaceReads.ts"

/** The key is unknown, revoked or expired. */
export class ApiKeyUnknown extends Schema.TaggedError<ApiKeyUnknown>()("ApiKeyUnknown", {}) {
  override readonly message = "The key is unknown, revoked or expired"
}

/** The workspace of the key is disabled, or is being deleted. */
export class WorkspaceDisabled extends Schema.TaggedError<WorkspaceDisabled>()(
  "WorkspaceDisabled",
  {}
) {
  override readonly message = "The workspace is disabled"
}

/** The workspace has as many keys as are allowed, and none that ended long ago. */
export class KeysFull extends Schema.TaggedError<KeysFull>()("KeysFull", { max: Schema.Int }) {
  override get message(): string {
    return `The workspace has ${this.max} keys, as many as are allowed`
  }
}

/** The workspace has no such key that could be replaced: it is unknown, revoked or expired. */
export class KeyNotReplaceable extends Schema.TaggedError<KeyNotReplaceable>()(
  "KeyNotReplaceable",
  {}
) {
  override readonly message = "The workspace has no such key that could be replaced"
}

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
