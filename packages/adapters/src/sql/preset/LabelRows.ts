/** Reads and writes label moves and protected labels. */
import { type Page, PresetStoreError, type Protection } from "@verbatim/core/ports"
import { LabelMove, type PresetId, ProtectedLabel, protectedLabelMax } from "@verbatim/core/preset"
import type { LabelName, WorkspaceId } from "@verbatim/core/workspace"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { makeReader, type Row } from "../row/Row.ts"
import type { LockedTransaction } from "../session/Sessions.ts"
import { presetVersions, readCount, reasons } from "./PresetRows.ts"

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

/** Returns a move's row without the previous target, which the preceding row contains. */
export const labelMoveRow = ({ at, by, label, presetId, revision, to }: LabelMove): Row => ({
  preset_id: presetId,
  revision,
  label,
  version: to,
  user_id: by,
  at: toEpochMillis(at)
})

const columns = 'preset_id AS "presetId", label, revision, version AS "to", user_id AS "by", at'

const readMove = makeReader(LabelMove)

const readProtected = makeReader(ProtectedLabel)

/** The store's methods for label moves. */
export const moveMethods = (sql: SqlClient.SqlClient) => ({
  *labelMoves(id: PresetId, { label, limit, offset }: Page & { readonly label: LabelName }) {
    // The preceding row contains the previous target.
    const rows = yield* sql<Row>`SELECT ${sql.literal(columns)},
        lag(version) OVER (ORDER BY revision) AS "from"
      FROM verbatim_preset_label_moves WHERE preset_id = ${id} AND label = ${label}
      ORDER BY revision LIMIT ${limit} OFFSET ${offset}`
    return yield* Effect.forEach(rows, (row) =>
      readMove(row, `preset_label_moves ${row.presetId} ${row.revision}`)
    )
  },
  *labelMoveCount(id: PresetId, label: LabelName) {
    const [counted] = yield* sql<Row>`SELECT count(*) AS total FROM verbatim_preset_label_moves
      WHERE preset_id = ${id} AND label = ${label}`
    return yield* readCount(counted?.total, `number of moves of ${label} of ${id}`)
  },
  *labelledAt(
    id: PresetId,
    { at, label }: { readonly label: LabelName; readonly at: DateTime.Utc }
  ) {
    // A removed label points to no version, so the join finds none.
    const [row] = yield* sql<Row>`SELECT ${sql.literal(presetVersions.columns)}
      FROM (SELECT preset_id, version FROM verbatim_preset_label_moves
        WHERE preset_id = ${id} AND label = ${label} AND at <= ${toEpochMillis(at)}
        ORDER BY revision DESC LIMIT 1) AS moved
      JOIN verbatim_preset_versions ON verbatim_preset_versions.preset_id = moved.preset_id
        AND verbatim_preset_versions.version = moved.version`
    return row === undefined ? Option.none() : Option.some(yield* presetVersions.read(row))
  }
})

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
          const reason = reasons.Full.make({})
          return yield* new PresetStoreError({ operation: "protect", reason })
        }
        const row = { workspace_id: workspaceId, label, user_id: by, at: toEpochMillis(at) }
        yield* sql`INSERT INTO verbatim_protected_labels ${sql.insert(row)}`
      })
    ),
  unprotect: (workspaceId: WorkspaceId, label: LabelName) =>
    Effect.asVoid(sql`DELETE FROM verbatim_protected_labels
      WHERE workspace_id = ${workspaceId} AND label = ${label}`)
})
