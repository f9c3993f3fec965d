/** What holds for the rows of presets because SQLite sees to it. */
import { assert, describe, it } from "@effect/vitest"
import { PresetStore } from "@verbatim/core/ports"
import { designationsOf, makeDraft, withWorkspace } from "@verbatim/testkit/samples"
import { Cause, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { revisesAllOrNothing } from "../sql/KeptRows.ts"
import { withClient } from "./TemporaryDatabase.ts"

describe("a row of a preset in SQLite", () => {
  it.effect("is not revised when its designation cannot be kept", () =>
    revisesAllOrNothing.pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("that does not decode is a defect with its name", () =>
    withWorkspace(function* () {
      const sql = yield* SqlClient.SqlClient
      const { preset } = yield* Effect.flatMap(PresetStore, (store) => store.append(makeDraft(1)))
      yield* sql`UPDATE preset_designations SET user_id = ''`
      const exit = yield* Effect.exit(designationsOf(preset.id))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.include(String(exit), `preset_designations ${preset.id} 1 does not decode`)
    }).pipe(Effect.provide(withClient(":memory:")))
  )
})
