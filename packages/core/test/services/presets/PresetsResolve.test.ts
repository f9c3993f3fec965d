import { assert, describe, it } from "@effect/vitest"
import { instant } from "@verbatim/testkit/samples"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Presets } from "#src/services/presets/Presets"
import { created, deployment, designated, manager, moved, reader } from "./Deployment.ts"

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

/** Resolves a reference, and returns the version's model or the error. */
const modelOf = (preset: string, atMillis?: number) =>
  Effect.match(resolved(preset, atMillis), {
    onSuccess: ({ request }) => request.model,
    onFailure: ({ _tag }) => _tag
  })

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

/** References, some with a time, and the model or error that each resolves to. */
const rows: ReadonlyArray<readonly [preset: string, at: number | undefined, result: string]> = [
  ["support", undefined, "m1"],
  ["support", -1, "PresetNotFound"],
  ["support", 9, "m1"],
  ["support", 10, "m2"],
  ["support", 20, "m1"],
  ["support@2", undefined, "m2"],
  ["support@2", 0, "m2"],
  ["support@designated", 10, "m2"],
  ["support@designated", undefined, "m1"],
  ["support@latest", undefined, "m2"],
  ["support@latest", 10, "InvalidRequest"],
  ["support@production", 19, "LabelNotFound"],
  ["support@production", 20, "m2"],
  ["support@production", 29, "m2"],
  ["support@production", 30, "m1"],
  ["support@production", 40, "LabelNotFound"],
  ["support@production", undefined, "LabelNotFound"],
  ["support@3", undefined, "VersionNotFound"],
  ["support@0", undefined, "InvalidRequest"],
  ["su/pport", undefined, "InvalidRequest"],
  ["sales", undefined, "PresetNotFound"]
]

describe("a reference to a preset", () => {
  it.effect("resolves to the current version, or to the version at a given time", () =>
    Effect.gen(function* () {
      yield* rolledBack
      yield* labelled("production", 2)
      yield* TestClock.adjust(10)
      yield* labelled("production", 1)
      yield* TestClock.adjust(10)
      yield* unlabelled("production")
      for (const [preset, at, result] of rows) {
        assert.strictEqual(yield* modelOf(preset, at), result, `${preset} at ${at}`)
      }
    }).pipe(Effect.provide(deployment))
  )

  it.effect("never resolves to an erased version", () =>
    Effect.gen(function* () {
      yield* rolledBack
      const presets = yield* Presets
      yield* presets.erase({ principal: manager, slug: "support", version: 2 })
      assert.strictEqual(yield* modelOf("support@2"), "VersionErased")
      assert.strictEqual(yield* modelOf("support", 10), "VersionErased")
      assert.strictEqual(yield* modelOf("support"), "m1")
    }).pipe(Effect.provide(deployment))
  )

  it.effect("requires an active preset, even for a version that was designated earlier", () =>
    Effect.gen(function* () {
      yield* rolledBack
      for (const status of ["disabled", "archived"] as const) {
        yield* moved(status)
        for (const [preset, at] of [["support"], ["support@1"], ["support", 0]] as const) {
          assert.strictEqual(yield* modelOf(preset, at), "PresetInactive")
        }
      }
    }).pipe(Effect.provide(deployment))
  )
})
