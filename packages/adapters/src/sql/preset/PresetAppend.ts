/**
 * Adds a version to a preset in one transaction of several statements. The preset's row is written
 * first, so that all writers of a preset wait for this row, and the transaction that locks the row
 * gets the next number. Requests with the same idempotency key run one after another.
 */
import { type IdempotencyKey, keyWindow } from "@verbatim/core/idempotency"
import type { KeyedVersion, PresetStoreError } from "@verbatim/core/ports"
import {
  answerRepeat,
  createPresetFromDraft,
  type DesignatedPreset,
  designationOf,
  findUnmetCondition,
  type KeyedRequest,
  type PresetCondition,
  type PresetDraft,
  type PresetVersionId,
  versionOf
} from "@verbatim/core/preset"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Duration, Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { makeReader, type Row } from "../row/Row.ts"
import type { RowReads } from "../row/RowStatements.ts"
import {
  type LockedTransaction,
  retryDeadlock,
  SharedCommit,
  type StoreTime,
  withSharedCommit
} from "../session/Sessions.ts"
import { moveRow } from "./MoveRows.ts"
import { makeRefusal, notRemoved, presets, presetVersions, reasons } from "./PresetRows.ts"

type Failure = SqlError.SqlError | PresetStoreError

/** The statements that differ between databases. */
interface DialectParts {
  readonly exclusive: LockedTransaction
  readonly reads: RowReads
  readonly time: StoreTime
}

const refusal = makeRefusal("append")

const designateClause = `
    designated_version = verbatim_presets.latest_version + 1,
    designated_version_id = excluded.designated_version_id,`

/**
 * Increments the version number of an existing preset, and designates the version unless it is only
 * staged. A preset with a status from a newer release is not changed, because that status may not
 * allow the change.
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

/**
 * Fails if a condition of the draft is not met. Otherwise, locks the preset's row, if there is one.
 */
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
    const made = yield* findRecord(sql, { workspaceId, key, time })
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
      ${sql.insert(moveRow(designation.value))}`
  }
  if (Option.isSome(request)) {
    yield* insertRecord(sql, { draft, request: request.value, time })
  }
  return { preset, version }
})

/** Name of the lock for an idempotency key in a workspace. */
const keyLockName = ({ workspaceId }: PresetDraft, { key }: KeyedRequest): string =>
  `preset key of ${workspaceId}: ${key}`

/** Whether the reason for a failure may be that the draft was already written. */
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
   * Handles a refused draft. If the draft was written by an earlier attempt, the retry returns the
   * version from that attempt.
   */
  const refused = (draft: PresetDraft, error: Failure) =>
    Effect.flatMap(
      findDrafted(sql, draft.versionId),
      Option.match({
        onNone: () => Effect.fail(error),
        onSome: (made) => Effect.succeed(answerRepeat(draft, made))
      })
    )

  return (draft: PresetDraft) =>
    writeLocked(draft).pipe(
      retryDeadlock(sql),
      Effect.catchIf(isRefused, (error) => refused(draft, error))
    )
}

const windowMillis = Duration.toMillis(keyWindow)

const readFingerprint = makeReader(Schema.String)

const readMade = Effect.fnUntraced(function* (row: Row): Effect.fn.Return<DesignatedPreset> {
  return { preset: yield* presets.read(row), version: yield* presetVersions.read(row) }
})

const madeColumns = `${presets.columns}, ${presetVersions.columns}`

/**
 * Finds a draft's version with its preset. Returns none if the version was never appended or has
 * been deleted.
 */
const findDrafted = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: PresetVersionId) {
  const [row] = yield* sql<Row>`SELECT ${sql.literal(madeColumns)} FROM verbatim_preset_versions
    JOIN verbatim_presets ON verbatim_presets.id = verbatim_preset_versions.preset_id
      WHERE verbatim_preset_versions.id = ${id}
      AND ${sql.literal(notRemoved)}`
  return row === undefined ? Option.none() : Option.some(yield* readMade(row))
})

/** A key to look up, and the clock that determines whether the key has expired. */
interface KeyLookup {
  readonly workspaceId: WorkspaceId
  readonly key: IdempotencyKey
  readonly time: StoreTime
}

/** Finds the version that was created under a key, unless the key has expired. */
export const findRecord = (
  sql: SqlClient.SqlClient,
  { key, time, workspaceId }: KeyLookup
): Effect.Effect<Option.Option<KeyedVersion>, SqlError.SqlError> =>
  time
    .withNow(
      sql,
      (now) => sql<Row>`
    SELECT fingerprint, ${sql.literal(madeColumns)} FROM verbatim_preset_keys
    JOIN verbatim_preset_versions ON verbatim_preset_versions.id = verbatim_preset_keys.version_id
    JOIN verbatim_presets ON verbatim_presets.id = verbatim_preset_versions.preset_id
    WHERE verbatim_preset_keys.workspace_id = ${workspaceId} AND key = ${key}
      AND abs(verbatim_preset_keys.at - ${now}) < ${sql.literal(`${windowMillis}`)}
      AND ${sql.literal(notRemoved)}`
    )
    .pipe(
      Effect.flatMap(
        Effect.fnUntraced(function* ([row]) {
          if (row === undefined) return Option.none()
          const fingerprint = yield* readFingerprint(row.fingerprint, `preset_keys ${key}`)
          return Option.some({ fingerprint, made: yield* readMade(row) })
        })
      )
    )

/** A record to write, with the time from the store's clock. */
interface Entry {
  readonly draft: PresetDraft
  readonly request: KeyedRequest
  readonly time: StoreTime
}

/**
 * Writes a key's record after the version, in the transaction that found no valid record. The age
 * is not checked again: if the clock was set back, an expired record could look valid. The version
 * would then have no key, and a retried request would add another version.
 */
const insertRecord = (
  sql: SqlClient.SqlClient,
  { draft: { versionId, workspaceId }, request: { fingerprint, key }, time }: Entry
) =>
  time.withNow(
    sql,
    (now) => sql`INSERT INTO verbatim_preset_keys
        (workspace_id, key, fingerprint, version_id, at)
      VALUES (${workspaceId}, ${key}, ${fingerprint}, ${versionId}, ${now})
      ON CONFLICT (workspace_id, key) DO UPDATE SET
        fingerprint = excluded.fingerprint, version_id = excluded.version_id, at = excluded.at`
  )
