/** Deletes a workspace's presets, a limited number of rows at a time. */
import { type PresetStore, trace } from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Row } from "../row/Row.ts"
import { mapSqlError } from "./PresetFailure.ts"

/**
 * Tables with rows that refer to a preset. Each table is listed before the tables to which it
 * refers.
 */
const dependents = [
  { table: "verbatim_preset_designations", key: "preset_id, revision" },
  { table: "verbatim_preset_label_moves", key: "preset_id, revision" },
  { table: "verbatim_preset_changes", key: "id" }
] as const

/**
 * The preset to delete, and the maximum number of rows to delete. Keys are deleted together with
 * their versions.
 */
interface PresetDeletion {
  readonly presetId: unknown
  readonly rowMax: number
}

/**
 * Deletes up to the given number of a preset's rows, and finally the preset itself when no other
 * rows are left.
 */
export const removeRows = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { presetId, rowMax }: PresetDeletion
) {
  let remaining = rowMax
  for (const { key, table } of dependents) {
    const removed = yield* sql`DELETE FROM ${sql.literal(table)}
      WHERE (${sql.literal(key)}) IN (SELECT ${sql.literal(key)} FROM ${sql.literal(table)}
        WHERE preset_id = ${presetId} LIMIT ${remaining}) RETURNING preset_id`
    remaining -= removed.length
    if (remaining === 0) return
  }
  const going = sql`SELECT id FROM verbatim_preset_versions
    WHERE preset_id = ${presetId} ORDER BY id LIMIT ${remaining}`
  yield* sql`DELETE FROM verbatim_preset_keys WHERE version_id IN (${going})`
  const versions =
    yield* sql`DELETE FROM verbatim_preset_versions WHERE id IN (${going}) RETURNING id`
  if (versions.length === remaining) return
  yield* sql`DELETE FROM verbatim_presets WHERE id = ${presetId}`
})

/** Deletes a workspace's keys and then its presets, one after another, up to the limit. */
export const makeClear = (sql: SqlClient.SqlClient): PresetStore["Service"]["clear"] =>
  trace("SqlPresetStore.clear")(
    function* (workspaceId: WorkspaceId, rowMax: number) {
      const keys = yield* sql`DELETE FROM verbatim_preset_keys WHERE (workspace_id, key) IN (
        SELECT workspace_id, key FROM verbatim_preset_keys
        WHERE workspace_id = ${workspaceId} LIMIT ${rowMax}) RETURNING key`
      const remaining = rowMax - keys.length
      if (remaining === 0) return true
      const [preset] = yield* sql<Row>`SELECT id FROM verbatim_presets
        WHERE workspace_id = ${workspaceId} LIMIT 1`
      if (preset === undefined) {
        yield* sql`DELETE FROM verbatim_protected_labels WHERE workspace_id = ${workspaceId}`
        return false
      }
      yield* removeRows(sql, { presetId: preset.id, rowMax: remaining })
      return true
    },
    sql.withTransaction,
    mapSqlError("clear")
  )
