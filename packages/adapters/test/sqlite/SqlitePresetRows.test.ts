/** What holds for the rows of presets because SQLite sees to it. */
import { assert, describe, it } from "@effect/vitest"
import { PresetStore } from "@verbatim/core/ports"
import { Event } from "@verbatim/core/preset"
import {
  designationsOf,
  later,
  makeDraft,
  revisePreset,
  versionsOf,
  withWorkspace
} from "@verbatim/testkit/samples"
import { Cause, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { revisesAllOrNothing } from "../sql/KeptRows.ts"
import { withClient } from "./TemporaryDatabase.ts"

describe("a row of a preset in SQLite", () => {
  it.effect("is not revised when its designation cannot be kept", () =>
    revisesAllOrNothing.pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("is swept when it was removed and the sweep was interrupted", () =>
    withWorkspace(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* PresetStore
      const { preset } = yield* store.append(makeDraft(1))
      const archived = yield* revisePreset(preset, Event.cases.Shelved.make({ at: later(2) }))
      yield* store.remove({
        presetId: preset.id,
        expectedRevision: archived.revision,
        freeLabels: []
      })
      // As whoever died before the first step left it: no slug that can be asked for.
      const rows = yield* sql`SELECT slug, status FROM verbatim_presets`
      assert.deepStrictEqual(rows, [{ slug: `/removed/${preset.id}`, status: "Removed" }])
      while (yield* store.sweep(1)) assert.isAtMost((yield* versionsOf(preset.id)).length, 1)
      const left = yield* sql`SELECT (SELECT count(*) FROM verbatim_presets) AS presets,
        (SELECT count(*) FROM verbatim_preset_versions) AS versions,
        (SELECT count(*) FROM verbatim_preset_changes) AS changes`
      assert.deepStrictEqual(left, [{ presets: 0, versions: 0, changes: 0 }])
    }).pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("that does not decode is a defect with its name", () =>
    withWorkspace(function* () {
      const sql = yield* SqlClient.SqlClient
      const { preset } = yield* Effect.flatMap(PresetStore, (store) => store.append(makeDraft(1)))
      yield* sql`UPDATE verbatim_preset_designations SET user_id = ''`
      const exit = yield* Effect.exit(designationsOf(preset.id))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.include(String(exit), `preset_designations ${preset.id} 1 does not decode`)
    }).pipe(Effect.provide(withClient(":memory:")))
  )
})
