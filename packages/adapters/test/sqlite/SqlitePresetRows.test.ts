/** What holds for the rows of presets because SQLite sees to it. */
import { assert, describe, it } from "@effect/vitest"
import { PresetStore } from "@verbatim/core/ports"
import { Event } from "@verbatim/core/preset"
import {
  designationsOf,
  findStored,
  later,
  makeDraft,
  moveLabel,
  revisePreset,
  versionId,
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

  it.effect("keeps labels and comments that an older program knows nothing of", () =>
    withWorkspace(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* PresetStore
      const { preset, version } = yield* store.append(makeDraft(1, { comment: "Mine." }))
      const labelled = yield* revisePreset(preset, moveLabel("production", version))
      // What a program of before labels writes to change a preset, and to add a version.
      yield* sql`UPDATE verbatim_presets SET name = 'x', revision = 3, updated_at = 9
        WHERE id = ${preset.id} AND revision = 2`
      yield* sql`UPDATE verbatim_presets SET revision = 4, latest_version = 2, updated_at = 10
        WHERE id = ${preset.id}`
      yield* sql`INSERT INTO verbatim_preset_versions
          (id, preset_id, version, creator_id, system_prompt, config, created_at, updated_at)
        VALUES (${versionId(2)}, ${preset.id}, 2, ${version.creatorId}, NULL, '{}', 10, 10)`
      const found = yield* findStored()
      assert.deepStrictEqual([found.preset.labels, found.preset.name], [labelled.labels, "x"])
      const versions = yield* versionsOf(preset.id)
      assert.deepStrictEqual(
        versions.map(({ comment, erased }) => [comment, erased]),
        [
          ["Mine.", null],
          [null, null]
        ]
      )
    }).pipe(Effect.provide(withClient(":memory:")))
  )

  it.effect("that is removed is none to an older program either, and is swept after a crash", () =>
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
