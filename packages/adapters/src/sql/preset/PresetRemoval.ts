/**
 * Removes an archived preset. The preset's row gets a slug that cannot be requested, so that the
 * original slug is free immediately, and a status that marks the preset as removed. The preset's
 * rows are deleted later, a limited number at a time; until then, readers skip presets with that
 * status.
 */
import { type PresetStore, PresetStoreError, type Removal, trace } from "@verbatim/core/ports"
import { WorkspaceId } from "@verbatim/core/workspace"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { makeReader, type Row } from "../row/Row.ts"
import type { RowReads } from "../row/RowReads.ts"
import type { LockedTransaction } from "../session/Sessions.ts"
import { removeRows } from "./ClearPresets.ts"
import { labelLockName } from "./LabelRows.ts"
import { mapSqlError, reasons } from "./PresetFailure.ts"
import { notRemoved, removedStatus } from "./PresetRows.ts"
import type { PresetStatements } from "./PresetStatements.ts"

type Store = PresetStore["Service"]

const readWorkspace = makeReader(WorkspaceId)

/** Replaces the slug with one that cannot be requested and that no other preset has. */
const removedSlug = "'/removed/' || id"

const write = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { expectedRevision, presetId }: Removal,
  isStale: boolean
) {
  const removed = isStale
    ? []
    : yield* sql`UPDATE verbatim_presets SET status = ${removedStatus}, revision = revision + 1,
          slug = ${sql.literal(removedSlug)}
        WHERE id = ${presetId} AND revision = ${expectedRevision} AND status = 'Archived'
        RETURNING id`
  if (removed.length > 0) return
  const existing = yield* sql`SELECT id FROM verbatim_presets
    WHERE id = ${presetId} AND ${sql.literal(notRemoved)}`
  if (existing.length === 0) return
  const reason = reasons.Superseded.make({})
  return yield* new PresetStoreError({ operation: "remove", reason })
})

interface RemovalStatements extends Pick<PresetStatements, "isAnyProtected"> {
  readonly reads: RowReads
  readonly shared: LockedTransaction
}

/** The store's methods that remove presets. */
export const removalMethods = (
  sql: SqlClient.SqlClient,
  { isAnyProtected, reads, shared }: RemovalStatements
): Pick<Store, "remove" | "sweep"> => ({
  remove: trace("SqlPresetStore.remove")(function* (removal: Removal) {
    const [row] =
      yield* sql<Row>`SELECT workspace_id FROM verbatim_presets WHERE id = ${removal.presetId}`
    if (row === undefined) return
    const workspaceId = yield* readWorkspace(row.workspace_id, `presets ${removal.presetId}`)
    const isStale = isAnyProtected(sql, { labels: removal.freeLabels, workspaceId })
    const decided = Effect.flatMap(isStale, (stale) => write(sql, removal, stale))
    yield* shared(sql, labelLockName(workspaceId), decided)
  }, mapSqlError("remove")),
  sweep: trace("SqlPresetStore.sweep")(
    function* (rowMax: number) {
      // Skips a preset whose rows another process is deleting.
      const [preset] = yield* sql<Row>`SELECT id FROM verbatim_presets
        WHERE status = ${sql.literal(`'${removedStatus}'`)} ORDER BY id LIMIT 1
        ${sql.literal(reads.passingLocked)}`
      if (preset === undefined) return false
      yield* removeRows(sql, { presetId: preset.id, rowMax })
      return true
    },
    sql.withTransaction,
    mapSqlError("sweep")
  )
})
