import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Schema } from "effect"
import { PresetStore } from "#src/ports/PresetStore"
import { Presets } from "#src/services/presets/Presets"
import { created, deployment, designated, Interference, named, patiently } from "./Deployment.ts"

describe("a change that is overtaken by others", () => {
  /** Adds a version before each write, up to the given number of writes. */
  const disturbedBy = Effect.fnUntraced(function* (times: number) {
    const interference = yield* Interference
    const presets = yield* Effect.context<Presets>()
    let left = times
    interference.before = Effect.suspend(() =>
      left-- > 0 ? Effect.orDie(Effect.provideContext(created(left), presets)) : Effect.void
    )
  })

  it.effect("is decided again up to a hundred times", () =>
    Effect.gen(function* () {
      yield* created(1)
      yield* created(2)
      yield* disturbedBy(100)
      const { preset } = yield* patiently(designated(1))
      assert.deepStrictEqual(
        [preset.designatedVersion, preset.latestVersion, preset.revision],
        [1, 102, 103]
      )
    }).pipe(Effect.provide(deployment))
  )

  it.effect("fails after a hundred decisions, without writing anything", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* created(1)
      yield* created(2)
      yield* disturbedBy(101)
      const refusal = yield* Effect.flip(patiently(designated(1)))
      assert.strictEqual(refusal._tag === "PresetStoreError" && refusal.reason._tag, "Superseded")
      const { preset } = yield* presets.get(named)
      assert.deepStrictEqual([preset.designatedVersion, preset.revision], [103, 103])
    }).pipe(Effect.provide(deployment))
  )
})

describe("a version made from another one", () => {
  it.effect("is based on a version that another process staged after the first read", () =>
    Effect.gen(function* () {
      const [presets, store] = [yield* Presets, yield* PresetStore]
      yield* created(1)
      const stage = (set: Schema.JsonObject) => ({
        ...named,
        wanted: Effect.succeed({ from: "latest", stage: true, set })
      })
      const other = Effect.orDie(presets.createFromVersion(stage({ top_p: 1 })))
      let left = 1
      const racing = PresetStore.of({
        ...store,
        append: (draft) =>
          Effect.andThen(left-- > 0 ? Effect.asVoid(other) : Effect.void, store.append(draft))
      })
      const { version } = yield* Presets.use((own) =>
        patiently(own.createFromVersion(stage({ top_k: 2 })))
      ).pipe(Effect.provide(Layer.fresh(Presets.layer)), Effect.provideService(PresetStore, racing))
      assert.deepStrictEqual(version.config, { model: "m1", top_p: 1, top_k: 2 })
    }).pipe(Effect.provide(deployment))
  )
})
