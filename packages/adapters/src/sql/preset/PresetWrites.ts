/**
 * Writes another version of a preset, or a change to the preset itself. Both kinds of write begin
 * with the preset's row, so that all writers of a preset wait for this row.
 */
import { PresetStoreError, type Revision, trace } from "@verbatim/core/ports"
import { answerRepeat, type PresetChangeId, type PresetDraft } from "@verbatim/core/preset"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Row } from "../row/Row.ts"
import { type LockedTransaction, retryDeadlock, withSharedCommit } from "../session/Sessions.ts"
import { labelLockName, labelMoveRow } from "./LabelRows.ts"
import { mapSqlError, reasons } from "./NextVersion.ts"
import { sumEvery } from "./PresetCounts.ts"
import * as PresetKeyRows from "./PresetKeyRows.ts"
import { designationRow, notRemoved, toErasureText, toRevisedColumns } from "./PresetRows.ts"
import type { Append, PresetStatements } from "./PresetStatements.ts"

type Failure = SqlError.SqlError | PresetStoreError

/** Whether the failure may mean that the draft was already written. */
const isRefused = (error: Failure): boolean =>
  error._tag === "PresetStoreError" || error.reason._tag === "UniqueViolation"

/**
 * How many versions with a key a process writes between two sweeps, so that each write bears a
 * tenth of a statement.
 */
const sweepEvery = 10

/** Statements that an append uses. */
interface AppendStatements {
  readonly append: Append
  readonly sweep: Effect.Effect<void, SqlError.SqlError>
  readonly sumUp: (workspaceId: WorkspaceId) => Effect.Effect<void, SqlError.SqlError>
}

/**
 * Adds a version. The numbers are assigned by the preset's row: the transaction that locks the row
 * gets the next number.
 */
export const makeAppend = (
  sql: SqlClient.SqlClient,
  { append, sumUp, sweep }: AppendStatements
) => {
  /**
   * Handles a refused draft. A repeated draft is also refused; the result is then the version that
   * was written before.
   */
  const refused = (draft: PresetDraft, error: Failure) =>
    Effect.flatMap(
      PresetKeyRows.findDrafted(sql, draft.versionId),
      Option.match({
        onNone: () => Effect.fail(error),
        onSome: (made) => Effect.succeed(answerRepeat(draft, made))
      })
    )

  let keyedCount = 0
  let madeCount = 0
  /**
   * Skips upkeep inside a transaction, because others would have to wait for the rows until the
   * transaction ends.
   */
  const unlessWithin = (upkeep: Effect.Effect<void, SqlError.SqlError>) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (outer) =>
      Option.isNone(outer) ? Effect.ignore(upkeep) : Effect.void
    )

  return trace("SqlPresetStore.append")(function* (draft: PresetDraft) {
    const written = yield* append(draft).pipe(
      retryDeadlock(sql),
      Effect.catchIf(isRefused, (error) => refused(draft, error))
    )
    if (Option.isSome(draft.request) && keyedCount++ % sweepEvery === 0) yield* unlessWithin(sweep)
    if (written.preset.latestVersion === 1 && madeCount++ % sumEvery === 0) {
      yield* unlessWithin(sumUp(draft.workspaceId))
    }
    return written
  }, mapSqlError("append"))
}

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
