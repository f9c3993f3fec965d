/**
 * Writes a change to a preset itself. Like a new version, the change begins with the preset's row,
 * so that all writers of a preset wait for this row.
 */
import { PresetStoreError, type Revision, trace } from "@verbatim/core/ports"
import type { PresetChangeId } from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import type { Row } from "../row/Row.ts"
import { type LockedTransaction, retryDeadlock, withSharedCommit } from "../session/Sessions.ts"
import { labelLockName, labelMoveRow } from "./LabelRows.ts"
import { mapSqlError, reasons } from "./PresetFailure.ts"
import { designationRow, notRemoved, toErasureText, toRevisedColumns } from "./PresetRows.ts"
import type { PresetStatements } from "./PresetStatements.ts"

/** Erases a version's content, and the digest of the request that created it. */
const eraseContent = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { erasure, next }: Pick<Revision, "erasure" | "next">
) {
  if (erasure === undefined) return
  const erased = toErasureText({ at: erasure.at, by: erasure.by })
  const [row] = yield* sql<Row>`UPDATE verbatim_preset_versions
    SET config = '{}', wins = NULL, system_prompt = NULL, erased = ${erased}
    WHERE preset_id = ${next.id} AND version = ${erasure.version} RETURNING id`
  if (row === undefined) return
  yield* sql`UPDATE verbatim_preset_keys SET fingerprint = '' WHERE version_id = ${row.id}`
})

/**
 * Fails as superseded, unless this change was written before; changes are identified by their ids.
 */
const requireRepeat = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: PresetChangeId) {
  const made = yield* sql`SELECT id FROM verbatim_preset_changes WHERE id = ${id}`
  if (made.length > 0) return
  const reason = reasons.Superseded.make({})
  return yield* new PresetStoreError({ operation: "revise", reason })
})

const isAnyFree = ({ freeLabels = [] }: Revision): boolean => freeLabels.length > 0

/**
 * Replaces the mutable columns of a preset's row, if the row has not changed since it was read. If
 * the change requires labels to be unprotected, none of them can be protected until the change is
 * written.
 */
export const makeRevise = (
  sql: SqlClient.SqlClient,
  {
    isAnyProtected,
    shared
  }: Pick<PresetStatements, "isAnyProtected"> & { shared: LockedTransaction }
) => {
  const write = Effect.fnUntraced(function* (revision: Revision) {
    const { designation, expectedRevision, freeLabels = [], id, label, next } = revision
    const isStale = yield* isAnyProtected(sql, { ...next, labels: freeLabels })
    const revised = isStale
      ? []
      : yield* sql`UPDATE verbatim_presets SET ${sql.update(toRevisedColumns(next))}
          WHERE id = ${next.id} AND revision = ${expectedRevision} AND ${sql.literal(notRemoved)}
          RETURNING id`
    if (revised.length === 0) return yield* requireRepeat(sql, id)
    const change = { id, preset_id: next.id, revision: next.revision }
    yield* sql`INSERT INTO verbatim_preset_changes ${sql.insert(change)}`
    if (Option.isSome(designation)) {
      yield* sql`INSERT INTO verbatim_preset_designations
        ${sql.insert(designationRow(designation.value))}`
    }
    if (label !== undefined) {
      yield* sql`INSERT INTO verbatim_preset_label_moves ${sql.insert(labelMoveRow(label))}`
    }
    yield* eraseContent(sql, revision)
  })
  return trace("SqlPresetStore.revise")(
    (revision: Revision) =>
      isAnyFree(revision)
        ? shared(sql, labelLockName(revision.next.workspaceId), write(revision))
        : withSharedCommit(sql)(write(revision)),
    retryDeadlock(sql),
    mapSqlError("revise")
  )
}
