/**
 * Adds a version to a preset, statement by statement in one transaction. The preset's row is
 * written first, so that all writers of a preset wait for this row, and the transaction that locks
 * the row gets the next number. Requests with the same idempotency key run one after another.
 */
import { PresetStoreError, trace } from "@verbatim/core/ports"
import {
  answerRepeat,
  createPresetFromDraft,
  designationOf,
  findUnmetCondition,
  type KeyedRequest,
  type PresetCondition,
  type PresetDraft,
  versionOf
} from "@verbatim/core/preset"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Row } from "../row/Row.ts"
import type { RowReads } from "../row/RowReads.ts"
import {
  type LockedTransaction,
  retryDeadlock,
  SharedCommit,
  type StoreTime,
  withSharedCommit
} from "../session/Sessions.ts"
import * as PresetKeyRows from "./PresetKeyRows.ts"
import { designationRow, mapSqlError, presets, presetVersions, reasons } from "./PresetRows.ts"

type Failure = SqlError.SqlError | PresetStoreError

/** The statements that differ between databases. */
interface DialectParts {
  readonly exclusive: LockedTransaction
  readonly reads: RowReads
  readonly time: StoreTime
}

const refusal = (reason: PresetStoreError["reason"]) =>
  new PresetStoreError({ operation: "append", reason })

const designateClause = `
    designated_version = verbatim_presets.latest_version + 1,
    designated_version_id = excluded.designated_version_id,`

/**
 * Increments the version number of an existing preset, and designates the version unless it is only
 * staged. A preset whose status comes from a newer release is not changed, because that status may
 * not allow the change.
 */
const buildNextVersion = (
  sql: SqlClient.SqlClient,
  { stage }: Pick<PresetDraft, "stage">
): Statement.Fragment => sql`
  ON CONFLICT (workspace_id, slug) DO UPDATE SET
    revision = verbatim_presets.revision + 1,
    latest_version = verbatim_presets.latest_version + 1,
    ${sql.literal(stage ? "" : designateClause)}
    updated_at = excluded.updated_at
  WHERE verbatim_presets.status IN ('Active', 'Disabled')
  RETURNING ${sql.literal(presets.columns)}`

/** Fails if a condition is not met, and otherwise locks the preset's row, if any. */
const checkCondition = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { slug, workspaceId }: PresetDraft,
  { condition, lock }: { readonly condition: PresetCondition; readonly lock: string }
) {
  const [row] = yield* sql<Row>`SELECT ${sql.literal(presets.columns)} FROM verbatim_presets
    WHERE workspace_id = ${workspaceId} AND slug = ${slug} ${sql.literal(lock)}`
  const old = row === undefined ? undefined : yield* presets.read(row)
  const unmet = findUnmetCondition(condition, old)
  if (unmet !== undefined) return yield* refusal(reasons.ConditionFailed.make({ unmet }))
})

/** Creates the preset, or increments the version number. */
const advance = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, draft: PresetDraft) {
  const first = presets.row(createPresetFromDraft(draft))
  const [row] = yield* sql<Row>`INSERT INTO verbatim_presets ${sql.insert(first)}
    ${buildNextVersion(sql, draft)}`
  if (row === undefined) return yield* refusal(reasons.Archived.make({}))
  const preset = yield* presets.read(row)
  // A missing preset has no row to lock, so another process may have created the preset in the
  // meantime.
  return draft.condition?.noneMatch === "any" && preset.id !== draft.presetId
    ? yield* refusal(reasons.ConditionFailed.make({ unmet: "Exists" }))
    : preset
})

/** Writes the version for a draft, with everything that belongs to the version. */
const write = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { reads, time }: DialectParts,
  draft: PresetDraft
) {
  const { condition, request, workspaceId } = draft
  if (Option.isSome(request)) {
    const { key } = request.value
    const made = yield* PresetKeyRows.find(sql, { workspaceId, key, time })
    if (Option.isSome(made)) return yield* refusal(reasons.KeyTaken.make({}))
  }
  if (condition !== undefined) {
    yield* checkCondition(sql, draft, { condition, lock: reads.awaitingLocked })
  }
  const preset = yield* advance(sql, draft)
  const version = versionOf(preset, draft)
  yield* sql`INSERT INTO verbatim_preset_versions ${sql.insert(presetVersions.row(version))}`
  const designation = designationOf(preset, draft)
  if (Option.isSome(designation)) {
    yield* sql`INSERT INTO verbatim_preset_designations
      ${sql.insert(designationRow(designation.value))}`
  }
  if (Option.isSome(request)) {
    yield* PresetKeyRows.insert(sql, { draft, request: request.value, time })
  }
  return { preset, version }
})

/** Name of the lock for an idempotency key in a workspace. */
const keyLockName = ({ workspaceId }: PresetDraft, { key }: KeyedRequest): string =>
  `preset key of ${workspaceId}: ${key}`

/** Whether a failure may mean that the draft was already written. */
const isRefused = (error: Failure): boolean =>
  error._tag === "PresetStoreError" || error.reason._tag === "UniqueViolation"

/** Creates the method that appends versions. */
export const makeAppend = (sql: SqlClient.SqlClient, dialect: DialectParts) => {
  const writeLocked = (draft: PresetDraft) =>
    Option.match(draft.request, {
      onNone: () => withSharedCommit(sql)(write(sql, dialect, draft)),
      onSome: (request) =>
        Effect.provideService(
          dialect.exclusive(sql, keyLockName(draft, request), write(sql, dialect, draft)),
          SharedCommit,
          true
        )
    })

  /**
   * Handles a refused draft. A retry of a draft that was already written is also refused, but the
   * result is the version that was written.
   */
  const refused = (draft: PresetDraft, error: Failure) =>
    Effect.flatMap(
      PresetKeyRows.findDrafted(sql, draft.versionId),
      Option.match({
        onNone: () => Effect.fail(error),
        onSome: (made) => Effect.succeed(answerRepeat(draft, made))
      })
    )

  return trace("SqlPresetStore.append")(
    (draft: PresetDraft) =>
      writeLocked(draft).pipe(
        retryDeadlock(sql),
        Effect.catchIf(isRefused, (error) => refused(draft, error))
      ),
    mapSqlError("append")
  )
}
