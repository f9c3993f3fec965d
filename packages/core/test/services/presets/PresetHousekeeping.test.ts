import { assert, describe, it } from "@effect/vitest"
import { whole } from "@verbatim/testkit/samples"
import { Context, Effect, Layer } from "effect"
import { Presets } from "#src/services/presets/Presets"
import {
  colleague,
  created,
  deployment,
  designated,
  interfere,
  manager,
  moved,
  named,
  patiently,
  reader,
  tagOf
} from "./Deployment.ts"

const stored = (instructions: string, options: { stage?: boolean; comment?: string } = {}) =>
  Effect.flatMap(Presets, (presets) =>
    presets.create({ ...named, ...options, body: Effect.succeed({ instructions, input: "x" }) })
  )

const keyed = (options: { stage?: boolean; comment?: string } = {}, slug = "keyed") =>
  Effect.flatMap(Presets, (presets) =>
    presets.create({
      ...named,
      slug,
      ...options,
      idempotencyKey: "order-1",
      body: Effect.succeed({ instructions: "a secret", input: "x" })
    })
  )

const erased = (version: number, principal = manager) =>
  Effect.flatMap(Presets, (presets) => presets.erase({ ...named, principal, version }))

describe("a request to stage a version", () => {
  it.effect("conflicts with a request to designate a version under the same idempotency key", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* presets.create({ ...named, slug: "keyed", body: Effect.succeed({ input: "x" }) })
      const { version } = yield* keyed({ stage: true })
      assert.strictEqual(yield* tagOf(keyed()), "IdempotencyConflict")
      assert.strictEqual(yield* tagOf(keyed({ stage: true, comment: "x" })), "IdempotencyConflict")
      const again = yield* keyed({ stage: true })
      assert.deepStrictEqual([again.version.id, again.preset.designatedVersion], [version.id, 1])
    }).pipe(Effect.provide(deployment))
  )
})

describe("the content of a version", () => {
  it.effect("can be erased, and the version records the time and author of the erasure", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* stored("a secret", { comment: "mine" })
      yield* stored("none")
      const { preset, version } = yield* erased(1, colleague)
      assert.deepStrictEqual(yield* presets.version(named, 1), version)
      assert.deepStrictEqual(
        [version.systemPrompt, version.config, version.comment, version.erased?.by],
        [null, {}, "mine", colleague.userId]
      )
      assert.strictEqual(preset.revision, 3)
      assert.deepStrictEqual((yield* erased(1)).version, version)
      assert.strictEqual((yield* presets.get(named)).preset.revision, 3)
      assert.strictEqual(yield* tagOf(designated(1)), "VersionErased")
      const label = { ...named, label: "production", wanted: Effect.succeed(1) }
      assert.strictEqual(yield* tagOf(presets.moveLabel(label)), "VersionErased")
      const { designations } = yield* presets.designations(named, whole)
      assert.deepStrictEqual(
        designations.map(({ to }) => to),
        [1, 2]
      )
    }).pipe(Effect.provide(deployment))
  )

  it.effect(
    "cannot be erased while it is designated or labelled, or by a wrong API key or condition",
    () =>
      Effect.gen(function* () {
        const presets = yield* Presets
        const first = yield* stored("a secret")
        assert.strictEqual(yield* tagOf(erased(1)), "VersionInUse")
        yield* stored("none")
        yield* presets.moveLabel({ ...named, label: "canary", wanted: Effect.succeed(1) })
        assert.strictEqual(yield* tagOf(erased(1)), "VersionInUse")
        yield* presets.removeLabel({ ...named, label: "canary" })
        assert.strictEqual(yield* tagOf(erased(1, reader)), "ManagementKeyRequired")
        assert.strictEqual(yield* tagOf(erased(3)), "VersionNotFound")
        const condition = { match: [first.version.id] }
        const stale = presets.erase({ ...named, version: 1, condition })
        assert.strictEqual(yield* tagOf(stale), "ConditionFailed")
        assert.strictEqual((yield* presets.version(named, 1)).systemPrompt, "a secret")
      }).pipe(Effect.provide(deployment))
  )
})

describe("the removal of a preset", () => {
  it.effect("is done by one of two concurrent calls, and the other finds no preset", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      // The other call comes from another process, which has its own locks.
      const elsewhere = yield* Layer.build(Layer.fresh(Presets.layer))
      yield* created(1)
      yield* moved("archived")
      yield* interfere(() => Context.get(elsewhere, Presets).remove(named))
      assert.strictEqual(yield* tagOf(patiently(presets.remove(named))), "PresetNotFound")
    }).pipe(Effect.provide(deployment))
  )
})

describe("the comparison of presets", () => {
  it.effect("accepts the versions of another preset, as numbers or labels", () =>
    Effect.gen(function* () {
      const presets = yield* Presets
      yield* created(1)
      yield* created(2, { ...named, slug: "other" })
      yield* presets.moveLabel({ ...named, label: "production", wanted: Effect.succeed(1) })
      const { config } = yield* presets.diff(named, {
        from: "production",
        to: "latest",
        slug: "other"
      })
      assert.deepStrictEqual(config, [{ path: "/model", kind: "changed", from: "m1", to: "m2" }])
      const stray = presets.diff(named, { from: 1, to: "production", slug: "other" })
      assert.strictEqual(yield* tagOf(stray), "LabelNotFound")
      assert.strictEqual(yield* tagOf(presets.diff(named, { from: 1, to: 4 })), "VersionNotFound")
    }).pipe(Effect.provide(deployment))
  )
})
