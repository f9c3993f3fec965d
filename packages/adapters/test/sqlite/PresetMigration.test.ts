/** What becomes of presets that were stored before there were designations. */
import { assert, describe, it } from "@effect/vitest"
import { Migrations, SqlPresetStore, Statements } from "@verbatim/adapters/sql"
import { SqliteClient } from "@verbatim/adapters/sqlite"
import { PresetStore } from "@verbatim/core/ports"
import {
  designationsOf,
  foundPreset,
  instant,
  later,
  makeDraft,
  presetId,
  upTo,
  userId,
  versionId,
  versionsOf,
  workspaceId
} from "@verbatim/testkit/samples"
import { DateTime, Effect, Option } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { SchemaStatements } from "#src/sql/migration/SchemaStatements"
import * as stores from "#src/sql/migrations/0001_stores"

const millis = DateTime.toEpochMillis

/** The earlier schema, with a preset of three versions. */
const old = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { schema } = yield* Statements
  const first = Effect.provideService(stores.migration, SchemaStatements, schema)
  yield* Migrator.make({})({
    loader: Migrator.fromRecord({ "0001_stores": first }),
    table: "verbatim_migrations"
  })
  const workspace = {
    id: workspaceId(1),
    name: "old",
    first_user_id: userId(1),
    created_at: millis(instant),
    balance_millis: 0
  }
  yield* sql`INSERT INTO verbatim_workspaces ${sql.insert(workspace)}`
  const preset = {
    id: presetId(1),
    workspace_id: workspaceId(1),
    slug: "support",
    name: "support",
    description: null,
    creator_user_id: userId(1),
    status: "Active",
    latest_version: 3,
    designated_version: 3,
    designated_version_id: versionId(3),
    status_updated_at: null,
    created_at: millis(later(1)),
    updated_at: millis(later(3))
  }
  yield* sql`INSERT INTO verbatim_presets ${sql.insert(preset)}`
  for (const version of upTo(3)) {
    const row = {
      id: versionId(version),
      preset_id: presetId(1),
      version,
      creator_id: userId(version),
      system_prompt: null,
      config: `{"model":"m${version}"}`,
      created_at: millis(later(version)),
      updated_at: millis(later(version))
    }
    yield* sql`INSERT INTO verbatim_preset_versions ${sql.insert(row)}`
  }
})

describe("a database of before designations", () => {
  it.effect("gets them from the versions of its presets", () =>
    Effect.gen(function* () {
      yield* old
      assert.deepInclude(yield* Migrations.run, [2, "designations"])
      yield* Effect.gen(function* () {
        const store = yield* PresetStore
        const { preset } = yield* Effect.flatMap(foundPreset(), Effect.fromOption)
        assert.strictEqual(preset.revision, 3)
        assert.deepStrictEqual(
          yield* designationsOf(preset.id),
          upTo(3).map((version) => ({
            presetId: presetId(1),
            revision: version,
            from: version === 1 ? null : version - 1,
            to: version,
            by: userId(version),
            at: later(version)
          }))
        )
        const then = yield* store.designatedAt(preset.id, later(2))
        assert.deepStrictEqual(
          Option.map(then, ({ id }) => id),
          Option.some(versionId(2))
        )
        const next = yield* store.append(makeDraft(4))
        assert.strictEqual(next.preset.revision, 4)
        assert.strictEqual((yield* versionsOf(preset.id)).length, 4)
        assert.strictEqual((yield* designationsOf(preset.id)).length, 4)
      }).pipe(Effect.provide(SqlPresetStore.layer))
    }).pipe(Effect.provide(SqliteClient.layer({ filename: ":memory:" })))
  )
})
