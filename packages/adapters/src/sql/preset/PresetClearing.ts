/**
 * Removes the presets of a workspace, some rows at a time.
 */
import { type PresetStore, trace } from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import type { SqlClient } from "effect/sql"
import type { Row } from "../row/Row.ts"
import { mapSqlError } from "./PresetFailure.ts"

/** Tables whose rows refer to a preset or its versions, before those that they refer to. */
const dependents = [
  { table: "preset_designations", key: "preset_id, revision" },
  { table: "preset_changes", key: "id" },
  { table: "preset_versions", key: "id" }
] as const

/** Removes of one preset whatever fits, and the preset itself when nothing else is left. */
export const makeClear = (sql: SqlClient.SqlClient): PresetStore["Service"]["clear"] =>
  trace("SqlPresetStore.clear")(
    function* (workspaceId: WorkspaceId, rowMax: number) {
      const keys = yield* sql`DELETE FROM preset_keys WHERE (workspace_id, key) IN (
        SELECT workspace_id, key FROM preset_keys
        WHERE workspace_id = ${workspaceId} LIMIT ${rowMax}) RETURNING key`
      let left = rowMax - keys.length
      if (left === 0) return true
      const [preset] = yield* sql<Row>`SELECT id FROM presets
        WHERE workspace_id = ${workspaceId} LIMIT 1`
      if (preset === undefined) return false
      for (const { key, table } of dependents) {
        const removed = yield* sql`DELETE FROM ${sql.literal(table)}
          WHERE (${sql.literal(key)}) IN (SELECT ${sql.literal(key)} FROM ${sql.literal(table)}
            WHERE preset_id = ${preset.id} LIMIT ${left}) RETURNING preset_id`
        left -= removed.length
        if (left === 0) return true
      }
      yield* sql`DELETE FROM presets WHERE id = ${preset.id}`
      return true
    },
    sql.withTransaction,
    mapSqlError("clear")
  )
