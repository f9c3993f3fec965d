/** What holds of the rows of presets because SQLite sees to it. */
import { assert, describe, it } from "@effect/vitest"
import { PresetStore } from "@verbatim/core/ports/PresetStore"
import {
  designating,
  designationsOf,
  draft,
  foundPreset,
  revisionOf
} from "@verbatim/testkit/samples/SamplePreset"
import { founded, later } from "@verbatim/testkit/samples/SampleWorkspace"
import { Cause, Effect, Exit, Option } from "effect"
import { SqlClient } from "effect/sql"
import { withClient } from "./TemporaryDatabase.ts"

describe("a row of a preset in SQLite", () => {
  it.effect("is not revised when its designation cannot be kept", () =>
    Effect.gen(function* () {
      yield* founded
      const store = yield* PresetStore
      const before = yield* store.append(draft(1))
      const stray = { ...before.version, version: 2 }
      const revision = revisionOf(before.preset, { event: designating(stray, later(2)) })
      const { reason } = yield* Effect.flip(store.revise(revision))
      assert.strictEqual(reason._tag, "Unavailable")
      assert.deepStrictEqual(yield* foundPreset(), Option.some(before))
      assert.strictEqual((yield* designationsOf(before.preset.id)).length, 1)
    }).pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("that does not decode is a defect with its name", () =>
    Effect.gen(function* () {
      yield* founded
      const sql = yield* SqlClient.SqlClient
      const { preset } = yield* Effect.flatMap(PresetStore, (store) => store.append(draft(1)))
      yield* sql`UPDATE preset_designations SET user_id = ''`
      const exit = yield* Effect.exit(designationsOf(preset.id))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.include(String(exit), `preset_designations ${preset.id} 1 does not decode`)
    }).pipe(Effect.provide(withClient(":memory:")))
  )
})
