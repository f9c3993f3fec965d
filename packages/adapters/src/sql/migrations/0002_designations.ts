/**
 * Presets count their changes, and remember which version was designated when.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/** Adds what 0001 lacked. Every change of an old preset was a new version. */
export const migration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { clustered, int, key } = (yield* SchemaStatements).types(sql)

  yield* sql`ALTER TABLE verbatim_presets ADD COLUMN revision ${int} NOT NULL DEFAULT 1`
  yield* sql`UPDATE verbatim_presets SET revision = latest_version`
  yield* sql`CREATE INDEX verbatim_presets_by_update ON verbatim_presets (workspace_id, updated_at, id)`

  // The version designated before is that of the row before: stored twice, the two could differ.
  yield* sql`
    CREATE TABLE verbatim_preset_designations (
      preset_id ${key} NOT NULL,
      revision ${int} NOT NULL,
      version ${int} NOT NULL,
      user_id TEXT NOT NULL,
      at ${int} NOT NULL,
      PRIMARY KEY (preset_id, revision),
      FOREIGN KEY (preset_id, version) REFERENCES verbatim_preset_versions (preset_id, version)
    ) ${clustered}`
  yield* sql`
    INSERT INTO verbatim_preset_designations (preset_id, revision, version, user_id, at)
    SELECT preset_id, version, version, creator_id, created_at FROM verbatim_preset_versions`
})
