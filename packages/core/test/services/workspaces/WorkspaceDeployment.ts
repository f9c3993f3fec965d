/**
 * The workspace and key services over one in-memory store. A hook runs between a service's read and
 * its write.
 */
import { NodeCrypto } from "@effect/platform-node"
import * as Memory from "@verbatim/adapters/memory"
import { instant } from "@verbatim/testkit/samples"
import { Context, DateTime, Duration, Effect, Layer, Option, type Redacted } from "effect"
import { TestClock } from "effect/testing"
import type { KeyOrder } from "#src/domain/workspace/ApiKey"
import type { WorkspaceId } from "#src/domain/workspace/Workspace"
import { WorkspaceStore, type WorkspaceStoreError } from "#src/ports/WorkspaceStore"
import { ApiKeys } from "#src/services/workspaces/ApiKeys"
import { OperatorKeys } from "#src/services/workspaces/OperatorKeys"
import { Workspaces } from "#src/services/workspaces/Workspaces"
import { withHook } from "../WriteHooks.ts"

/** Hooks that run before a workspace is written or a key's use is recorded. */
export class Interference extends Context.Service<
  Interference,
  {
    beforeReplace: Effect.Effect<unknown>
    beforeNote: Effect.Effect<unknown, WorkspaceStoreError>
  }
>()("test/workspaces/Interference") {
  static readonly layer = Layer.sync(Interference, () => ({
    beforeReplace: Effect.void,
    beforeNote: Effect.void
  }))
}

const disturbed = Layer.effect(
  WorkspaceStore,
  Effect.map(Effect.all([WorkspaceStore, Interference]), ([store, interference]) => ({
    ...store,
    replace: withHook(store.replace, () => interference.beforeReplace),
    noteUse: withHook(store.noteUse, () => interference.beforeNote)
  }))
)

const begun = Layer.effectDiscard(TestClock.setTime(DateTime.toEpochMillis(instant)))

/** The services for workspaces and keys, with their ports. */
export const deployment = Layer.mergeAll(ApiKeys.layer, OperatorKeys.layer, Workspaces.layer).pipe(
  Layer.provideMerge(disturbed),
  Layer.provideMerge(
    Layer.mergeAll(
      Memory.layer,
      Interference.layer,
      NodeCrypto.layerDigest,
      NodeCrypto.layerSecureRandom,
      begun
    )
  )
)

export const made = (name: string) =>
  Effect.flatMap(Workspaces, (workspaces) => workspaces.create({ name }))

/** An order for a key with a new token and all scopes for its kind. */
const order = (more: Partial<KeyOrder> = {}): KeyOrder => ({
  kind: "management",
  token: Option.none(),
  ...more
})

export const issued = (id: WorkspaceId, more?: Partial<KeyOrder>) =>
  Effect.flatMap(ApiKeys, (keys) => keys.issue(id, order(more)))

/** Creates a workspace and issues a key for it. */
export const issuedAnew = Effect.fnUntraced(function* (more?: Partial<KeyOrder>) {
  const { id } = yield* made("one")
  return { id, ...(yield* issued(id, more)) }
})

export const authenticated = (token: Redacted.Redacted) =>
  Effect.flatMap(ApiKeys, (keys) => keys.authenticate(token))

/** Returns the reason why a token is refused, or `none` if it is accepted. */
export const refusal = (token: Redacted.Redacted) =>
  authenticated(token).pipe(
    Effect.as("none"),
    Effect.catch(({ _tag }) => Effect.succeed(_tag))
  )

/**
 * Tries a token one millisecond before the end of an hour and at its end, and returns both errors.
 */
export const acrossTheHour = <A, E, R>(refused: Effect.Effect<A, E, R>) =>
  Effect.all([
    Effect.andThen(TestClock.adjust(Duration.millis(60 * 60_000 - 1)), refused),
    Effect.andThen(TestClock.adjust("1 millis"), refused)
  ])
