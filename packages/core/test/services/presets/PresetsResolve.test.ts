import { assert, describe, it } from "@effect/vitest"
import { instant } from "@verbatim/testkit/samples"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Presets } from "#src/services/presets/Presets"
import { created, deployment, designated, manager, moved, reader, stranger } from "./Deployment.ts"

const resolved = (preset: string, atMillis?: number) =>
  Effect.flatMap(Presets, (presets) =>
    presets.resolve(
      {
        principal: reader,
        preset,
        at: atMillis === undefined ? undefined : DateTime.add(instant, { milliseconds: atMillis })
      },
      { input: "hello" }
    )
  )

const modelOf = (preset: string, atMillis?: number) =>
  Effect.map(resolved(preset, atMillis), ({ request }) => request.model)

const refusalOf = (preset: string, atMillis?: number) =>
  Effect.map(Effect.flip(resolved(preset, atMillis)), ({ _tag }) => _tag)

const labelled = (label: string, version: number) =>
  Effect.flatMap(Presets, (presets) =>
    presets.moveLabel({
      principal: manager,
      slug: "support",
      label,
      wanted: Effect.succeed(version)
    })
  )

const unlabelled = (label: string) =>
  Effect.flatMap(Presets, (presets) =>
    presets.removeLabel({ principal: manager, slug: "support", label })
  )

/** Version 1 is designated at 0 ms, version 2 at 10 ms, and version 1 again at 20 ms. */
const rolledBack = Effect.gen(function* () {
  yield* created(1)
  yield* TestClock.adjust(10)
  yield* created(2)
  yield* TestClock.adjust(10)
  yield* designated(1)
})

describe("resolving a request", () => {
  it.effect(
    "lays the request over the designated version, or over the version that the request names",
    () =>
      Effect.gen(function* () {
        yield* rolledBack
        const { fields, request } = yield* resolved("support")
        assert.deepStrictEqual(request, { model: "m1", input: "hello" })
        assert.deepStrictEqual(fields.get("model"), { from: "preset", version: 1 })
        assert.strictEqual(yield* modelOf("support@2"), "m2")
      }).pipe(Effect.provide(deployment))
  )

  it.effect("lays the request over the version that was designated at a given time", () =>
    Effect.gen(function* () {
      yield* rolledBack
      const models = yield* Effect.forEach([0, 9, 10, 19, 20, 1_000], (millis) =>
        modelOf("support", millis)
      )
      assert.deepStrictEqual(models, ["m1", "m1", "m2", "m2", "m1", "m1"])
      assert.strictEqual(yield* refusalOf("support", -1), "PresetNotFound")
    }).pipe(Effect.provide(deployment))
  )

  it.effect("lays the request over a label's version, now and at a given time", () =>
    Effect.gen(function* () {
      yield* rolledBack
      yield* labelled("production", 2)
      yield* TestClock.adjust(10)
      yield* labelled("production", 1)
      yield* TestClock.adjust(10)
      yield* unlabelled("production")
      const models = yield* Effect.forEach([20, 29, 30, 39], (millis) =>
        modelOf("support@production", millis)
      )
      assert.deepStrictEqual(models, ["m2", "m2", "m1", "m1"])
      for (const millis of [19, 40]) {
        assert.strictEqual(yield* refusalOf("support@production", millis), "LabelNotFound")
      }
      assert.strictEqual(yield* refusalOf("support@production"), "LabelNotFound")
      yield* labelled("production", 2)
      const { preset } = yield* resolved("support@production")
      assert.deepInclude(preset, { version: 2, label: "production" })
    }).pipe(Effect.provide(deployment))
  )

  it.effect("accepts the names designated and latest", () =>
    Effect.gen(function* () {
      yield* rolledBack
      assert.strictEqual(yield* modelOf("support@designated"), "m1")
      assert.strictEqual(yield* modelOf("support@designated", 10), "m2")
      assert.strictEqual(yield* modelOf("support@latest"), "m2")
      assert.strictEqual(yield* refusalOf("support@latest", 10), "InvalidRequest")
    }).pipe(Effect.provide(deployment))
  )

  it.effect("refuses a version with erased content", () =>
    Effect.gen(function* () {
      yield* rolledBack
      const presets = yield* Presets
      yield* presets.erase({ principal: manager, slug: "support", version: 2 })
      assert.strictEqual(yield* refusalOf("support@2"), "VersionErased")
      assert.strictEqual(yield* refusalOf("support", 10), "VersionErased")
      assert.strictEqual(yield* modelOf("support"), "m1")
    }).pipe(Effect.provide(deployment))
  )

  it.effect("requires an active preset, even for a version that was designated earlier", () =>
    Effect.gen(function* () {
      yield* rolledBack
      for (const status of ["disabled", "archived"] as const) {
        yield* moved(status)
        for (const refused of [
          resolved("support"),
          resolved("support@1"),
          resolved("support", 0)
        ]) {
          const refusal = yield* Effect.flip(refused)
          assert.deepInclude(refusal, { _tag: "PresetInactive", slug: "support", status })
        }
      }
      yield* moved("active")
      assert.strictEqual(yield* modelOf("support"), "m1")
    }).pipe(Effect.provide(deployment))
  )

  it.effect("refuses missing presets, versions and labels, and malformed references", () =>
    Effect.gen(function* () {
      yield* rolledBack
      const presets = yield* Presets
      assert.strictEqual(yield* refusalOf("sales"), "PresetNotFound")
      assert.strictEqual(yield* refusalOf("support@3"), "VersionNotFound")
      assert.strictEqual(yield* refusalOf("support@0"), "InvalidRequest")
      assert.strictEqual(yield* refusalOf("su/pport"), "InvalidRequest")
      const foreign = presets.resolve({ principal: stranger, preset: "support" }, {})
      const { _tag } = yield* Effect.flip(foreign)
      assert.strictEqual(_tag, "PresetNotFound")
    }).pipe(Effect.provide(deployment))
  )
})
