/**
 * Another version of a preset in one statement, for a dialect that takes writes inside a query: the
 * row of the preset, for which all its writers wait, is held for one way to the server, not five.
 */
import type { Preset } from "@verbatim/core/preset/Preset"
import type { PresetVersion } from "@verbatim/core/preset/PresetVersion"
import type { SqlClient, Statement } from "effect/sql"
import { presets, presetVersions } from "./PresetRows.ts"
import type { Row } from "./Row.ts"
import { emptyRow } from "./RowStatement.ts"

/** The preset as a first version makes it, and the version. */
interface Addition {
  readonly first: Preset
  readonly version: PresetVersion
}

/**
 * Writes all three rows and returns that of the preset; no row, and nothing written, when `advance`
 * finds a preset that takes no version. The rows of version and designation get the id, the number
 * and the revision that `advance` returns. Its text is put together once.
 */
export const appendAtOnce = (
  sql: SqlClient.SqlClient,
  advance: (first: Statement.RecordInsertHelper) => Statement.Fragment
): ((addition: Addition) => Statement.Statement<Row>) => {
  const none = emptyRow(presetVersions.names)
  const [text] = sql<Row>`
    WITH preset AS (${advance(sql.insert(emptyRow(presets.names)))}),
    version AS (
      INSERT INTO preset_versions
        (id, preset_id, version, creator_id, system_prompt, config, created_at, updated_at)
      SELECT ${none.id}, "presets.id", "presets.latestVersion", ${none.creator_id},
        ${none.system_prompt}, ${none.config}, ${none.created_at}, ${none.updated_at} FROM preset),
    designation AS (
      INSERT INTO preset_designations (preset_id, revision, version, user_id, at)
      SELECT "presets.id", "presets.revision", "presets.latestVersion", ${none.creator_id},
        ${none.created_at} FROM preset)
    SELECT * FROM preset`.compile()
  return (addition) => {
    const first = presets.row(addition.first)
    const row = presetVersions.row(addition.version)
    return sql.unsafe<Row>(text, [
      ...presets.names.map((name) => first[name]),
      ...[row.id, row.creator_id, row.system_prompt, row.config, row.created_at, row.updated_at],
      ...[row.creator_id, row.created_at]
    ])
  }
}
