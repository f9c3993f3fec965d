/** Tests how versions are created from other versions while other callers write. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Struct } from "effect"
import type { VersionParts } from "#src/domain/preset/PresetCommand"
import { Presets } from "#src/services/presets/Presets"
import { withHook } from "../WriteHooks.ts"
import { created, Interference, interfere, makeDeployment, named, patiently } from "./Deployment.ts"

/** Lets another caller write between the read of the base version and the write of the new one. */
const deployment = makeDeployment(({ append }, interference) => ({
  append: withHook(append, () => interference.before)
}))

const edit = (parts: VersionParts, idempotencyKey?: string) =>
  Effect.flatMap(Presets, (presets) =>
    presets.createFromVersion({ ...named, idempotencyKey, wanted: Effect.succeed(parts) })
  )

/** The service in another process, which has its own locks. */
const elsewhere = Effect.map(Layer.build(Layer.fresh(Presets.layer)), Context.get(Presets))

describe("a version made from another one", () => {
  it.effect("is based on the version that is designated when it is written", () =>
    Effect.gen(function* () {
      yield* created(1)
      yield* interfere(() => created(2))
      const { preset, version } = yield* patiently(edit({ set: { top_k: 1 } }))
      assert.deepStrictEqual(version.config, { model: "m2", top_k: 1 })
      assert.deepStrictEqual([preset.latestVersion, version.version], [3, 3])
    }).pipe(Effect.provide(deployment))
  )

  it.effect("is refused if the preset was removed, and does not recreate it", () =>
    Effect.gen(function* () {
      const presets = yield* elsewhere
      yield* created(1)
      const archive = presets.revise({ ...named, wanted: Effect.succeed({ status: "archived" }) })
      yield* interfere(() => Effect.andThen(archive, presets.remove(named)))
      const refusal = yield* Effect.flip(patiently(edit({ from: 1 })))
      assert.strictEqual(refusal._tag, "PresetNotFound")
      assert.strictEqual((yield* Effect.flip(presets.get(named)))._tag, "PresetNotFound")
    }).pipe(Effect.provide(deployment))
  )

  it.effect("is created by a retry if the first process died before it wrote", () =>
    Effect.gen(function* () {
      const presets = yield* elsewhere
      const interference = yield* Interference
      const first = yield* created(1)
      const parts = { set: { top_k: 1 } }
      interference.before = Effect.interrupt
      assert.isTrue(Exit.hasInterrupts(yield* Effect.exit(edit(parts, "key-1"))))
      interference.before = Effect.void
      const { preset, version } = yield* presets.get(named)
      assert.deepStrictEqual({ preset, version }, Struct.pick(first, ["preset", "version"]))
      const repeat = Effect.provideService(edit(parts, "key-1"), Presets, presets)
      const made = yield* repeat
      assert.deepInclude(made.version, { version: 2, config: { model: "m1", top_k: 1 } })
      assert.deepStrictEqual(yield* repeat, made)
      assert.strictEqual((yield* presets.get(named)).preset.latestVersion, 2)
    }).pipe(Effect.provide(deployment))
  )

  it.effect("is created once per key, even if its base version has been erased", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* created(1)
      const parts = { from: 1, set: { stream: true, top_k: 1 }, stage: true }
      const first = yield* edit(parts, "key-1")
      yield* created(3)
      yield* presets.erase({ ...named, version: 1 })
      const again = yield* edit(parts, "key-1")
      const { isStaged, notKept, version } = first
      assert.deepStrictEqual(again.version, version)
      assert.deepStrictEqual([again.isStaged, again.notKept], [isStaged, notKept])
      const other = yield* Effect.flip(edit({ ...parts, stage: false }, "key-1"))
      assert.strictEqual(other._tag, "IdempotencyConflict")
      assert.strictEqual((yield* presets.get(named)).preset.latestVersion, 3)
    }).pipe(Effect.provide(deployment))
  )
})
