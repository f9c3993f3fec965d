/** Reads label moves, and reads and writes protected labels. */
import type { Page, Protection } from "@verbatim/core/ports"
import { LabelMove, type PresetId, ProtectedLabel, protectedLabelMax } from "@verbatim/core/preset"
import type { LabelName, WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { makeReader, type Row } from "../row/Row.ts"
import type { LockedTransaction } from "../session/Sessions.ts"
import { makeMoveReads } from "./MoveRows.ts"
import { makeRefusal } from "./PresetRows.ts"

const { toEpochMillis } = DateTime

/**
 * Name of the lock for a workspace's labels. A change that protects a label takes the lock
 * exclusively. Moves of unprotected labels share the lock and do not wait for each other, because
 * they write different presets' rows.
 */
export const labelLockName = (workspaceId: WorkspaceId): string => `labels of ${workspaceId}`

/** The labels that a change in a workspace moves or removes. */
export interface ChangedLabels {
  readonly workspaceId: WorkspaceId
  readonly labels: ReadonlyArray<LabelName>
}

/** Whether one of the changed labels is protected in the transaction's snapshot. */
export const isAnyProtected = (
  sql: SqlClient.SqlClient,
  { labels, workspaceId }: ChangedLabels
): Effect.Effect<boolean, SqlError.SqlError> =>
  labels.length === 0
    ? Effect.succeed(false)
    : Effect.map(
        sql`SELECT label FROM verbatim_protected_labels
          WHERE workspace_id = ${workspaceId} AND ${sql.in("label", labels)} LIMIT 1`,
        (rows) => rows.length > 0
      )

const readMove = makeReader(LabelMove)

const readProtected = makeReader(ProtectedLabel)

/** The store's methods for label moves. */
export const moveMethods = (sql: SqlClient.SqlClient) => {
  const table = "verbatim_preset_label_moves"
  const { count, page, versionAt } = makeMoveReads(sql, {
    table,
    columns: "label,",
    read: readMove
  })
  const isOf = (id: PresetId, label: LabelName) => sql`preset_id = ${id} AND label = ${label}`
  return {
    labelMoves: (id: PresetId, { label, ...range }: Page & { readonly label: LabelName }) =>
      page(isOf(id, label), range),
    labelMoveCount: (id: PresetId, label: LabelName) => count(isOf(id, label)),
    labelledAt: (
      id: PresetId,
      { at, label }: { readonly label: LabelName; readonly at: DateTime.Utc }
    ) => versionAt(isOf(id, label), at)
  }
}

const listProtected = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  workspaceId: WorkspaceId
) {
  const rows = yield* sql<Row>`SELECT label, user_id AS "by", at FROM verbatim_protected_labels
    WHERE workspace_id = ${workspaceId} ORDER BY label`
  return yield* Effect.forEach(rows, (row) => readProtected(row, `labels of ${workspaceId}`))
})

/** The store's methods for protected labels. */
export const protectionMethods = (sql: SqlClient.SqlClient, exclusive: LockedTransaction) => ({
  protectedLabels: (workspaceId: WorkspaceId) => listProtected(sql, workspaceId),
  protect: ({ at, by, label, workspaceId }: Protection) =>
    exclusive(
      sql,
      labelLockName(workspaceId),
      Effect.gen(function* () {
        const known = yield* listProtected(sql, workspaceId)
        if (known.some((each) => each.label === label)) return
        if (known.length >= protectedLabelMax) {
          return yield* makeRefusal("protect")({ _tag: "Full" })
        }
        const row = { workspace_id: workspaceId, label, user_id: by, at: toEpochMillis(at) }
        yield* sql`INSERT INTO verbatim_protected_labels ${sql.insert(row)}`
      })
    ),
  unprotect: (workspaceId: WorkspaceId, label: LabelName) =>
    Effect.asVoid(sql`DELETE FROM verbatim_protected_labels
      WHERE workspace_id = ${workspaceId} AND label = ${label}`)
})
