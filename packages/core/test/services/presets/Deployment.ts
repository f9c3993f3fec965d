/**
 * Preset services over the in-memory stores, with one existing workspace. A hook runs between a
 * service's read and its write.
 */
import { NodeCrypto } from "@effect/platform-node"
import * as Memory from "@verbatim/adapters/memory"
import { foundFirst, instant, userId, workspaceId } from "@verbatim/testkit/samples"
import { Context, DateTime, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Principal } from "#src/domain/workspace/ApiKey"
import { PresetStore } from "#src/ports/PresetStore"
import { Presets } from "#src/services/presets/Presets"
import { withHook } from "../WriteHooks.ts"

/** An effect that runs before each write of a change. */
export class Interference extends Context.Service<
  Interference,
  { before: Effect.Effect<unknown> }
>()("test/Interference") {
  static readonly layer = Layer.sync(Interference, () => ({ before: Effect.void }))
}

type Store = PresetStore["Service"]

const begun = Layer.effectDiscard(
  Effect.andThen(foundFirst, TestClock.setTime(DateTime.toEpochMillis(instant)))
)

/** Layers for tests of presets, with hooks that run before some store methods. */
export const makeDeployment = (
  methods: (store: Store, interference: Interference["Service"]) => Partial<Store>
) =>
  Presets.layer.pipe(
    Layer.provide(
      Layer.effect(
        PresetStore,
        Effect.map(Effect.all([PresetStore, Interference]), ([store, interference]) => ({
          ...store,
          ...methods(store, interference)
        }))
      )
    ),
    Layer.provideMerge(begun),
    Layer.provideMerge(
      Layer.mergeAll(
        Memory.layer,
        Interference.layer,
        NodeCrypto.layerDigest,
        NodeCrypto.layerSecureRandom
      )
    )
  )

/** A deployment with a hook before each change to a preset and each removal. */
export const deployment = makeDeployment(({ remove, revise }, interference) => ({
  revise: withHook(revise, () => interference.before),
  remove: withHook(remove, () => interference.before)
}))

/** A caller with write access. */
export const manager: Principal = {
  kind: "management",
  workspaceId: workspaceId(1),
  userId: userId(1)
}

/** Another caller with write access in the same workspace. */
export const colleague: Principal = { ...manager, userId: userId(2) }

/** A caller with read access. */
export const reader: Principal = { ...manager, kind: "inference" }

/** The preset that these tests use, and its caller. */
export const named = { principal: manager, slug: "support" }

/** Stores a version with a model named after its number. */
export const created = (number: number, { principal, slug } = named) =>
  Effect.flatMap(Presets, (presets) =>
    presets.create({ principal, slug, body: Effect.succeed({ model: `m${number}`, input: "x" }) })
  )

export const designated = (version: number, principal = manager) =>
  Effect.flatMap(Presets, (presets) =>
    presets.designate({ ...named, principal, wanted: Effect.succeed(version) })
  )

/** Sets the preset's status. */
export const moved = (status: "active" | "disabled" | "archived") =>
  Effect.flatMap(Presets, (presets) =>
    presets.revise({ ...named, wanted: Effect.succeed({ status }) })
  )

/** Runs an effect, and advances the clock by a minute, longer than any call waits. */
export const patiently = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const running = yield* Effect.forkChild(effect)
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(running)
  })

/** Returns the tag of the error with which a call is refused. */
export const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

/** Makes another caller write before each of the next writes, by default only before one. */
export const interfere = <A, E>(write: (left: number) => Effect.Effect<A, E, Presets>, times = 1) =>
  Effect.gen(function* () {
    const presets = yield* Effect.context<Presets>()
    const interference = yield* Interference
    let left = times
    interference.before = Effect.suspend(() =>
      left-- > 0 ? Effect.orDie(Effect.provideContext(write(left), presets)) : Effect.void
    )
  })
