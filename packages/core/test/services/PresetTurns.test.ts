import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { Presets } from "#src/services/Presets"
import {
  created,
  deployment,
  designated,
  Interference,
  moved,
  named,
  patiently
} from "./Deployment.ts"

describe("a change that others come before", () => {
  /** Adds a version before each of that many writes. */
  const disturbedBy = Effect.fnUntraced(function* (times: number) {
    const interference = yield* Interference
    const presets = yield* Effect.context<Presets>()
    let left = times
    interference.before = Effect.suspend(() =>
      left-- > 0 ? Effect.orDie(Effect.provideContext(created(left), presets)) : Effect.void
    )
  })

  it.effect("is decided anew, up to a hundred times", () =>
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

  it.effect("is given up then, and nothing is written", () =>
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

  it.effect("waits for its turn, and leaves those who change other presets alone", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      const interference = yield* Interference
      yield* created(1)
      yield* created(2, { ...named, slug: "other" })
      const held = yield* Deferred.make<void>()
      interference.before = Effect.suspend(() => {
        interference.before = Effect.void
        return Deferred.await(held)
      })
      const first = yield* Effect.forkChild(moved("disabled"), { startImmediately: true })
      const second = yield* Effect.forkChild(moved("archived"), { startImmediately: true })
      const wanted = Effect.succeed({ name: "Other" })
      const { preset } = yield* presets.revise({ ...named, slug: "other", wanted })
      assert.strictEqual(preset.name, "Other")
      assert.strictEqual((yield* presets.get(named)).preset.revision, 1)
      yield* Deferred.succeed(held, undefined)
      // Neither of them had to decide anew: no time passes here.
      assert.strictEqual((yield* Fiber.join(first)).preset.revision, 2)
      assert.strictEqual((yield* Fiber.join(second)).preset.revision, 3)
    }).pipe(Effect.provide(deployment))
  )
})
