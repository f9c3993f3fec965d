/**
 * Another version of a preset in one statement, for a dialect that takes writes inside a query: the
 * row of the preset, for which all its writers wait, is held for one way to the server, not five.
 */
import type { PresetVersion } from "@verbatim/core/preset/PresetVersion"
import type { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { presetVersions } from "./PresetRows.ts"
import type { Row } from "./Row.ts"

/**
 * Writes all three rows and returns that of the preset; no row, and nothing written, when `advance`
 * finds a preset that takes no version. The rows of version and designation get the id, the number
 * and the revision that `advance` returns.
 */
export const appendAtOnce = (
  sql: SqlClient.SqlClient,
  { advance, version }: { readonly advance: Statement.Fragment; readonly version: PresetVersion }
): Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError> => {
  const row = presetVersions.row(version)
  return sql<Row>`
    WITH preset AS (${advance}),
    version AS (
      INSERT INTO preset_versions
        (id, preset_id, version, creator_id, system_prompt, config, created_at, updated_at)
      SELECT ${row.id}, "presets.id", "presets.latestVersion", ${row.creator_id},
        ${row.system_prompt}, ${row.config}, ${row.created_at}, ${row.updated_at} FROM preset),
    designation AS (
      INSERT INTO preset_designations (preset_id, revision, version, user_id, at)
      SELECT "presets.id", "presets.revision", "presets.latestVersion", ${row.creator_id},
        ${row.created_at} FROM preset)
    SELECT * FROM preset`
}
