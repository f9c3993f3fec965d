/**
 * Assigns the next version number of a preset, or refuses to. The preset's row is written first, so
 * that all writers of a preset wait for this row.
 */
import { PresetStoreError } from "@verbatim/core/ports"
import { findUnmetCondition, type PresetCondition, type PresetDraft } from "@verbatim/core/preset"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Row } from "../row/Row.ts"
import { presets } from "./PresetRows.ts"

type Reason = PresetStoreError["reason"]

/** Reasons why a preset accepts no version. */
export const reasons = PresetStoreError.fields.reason.cases

const reasonOf = (operation: string, cause: SqlError.SqlError): Reason => {
  switch (cause.reason._tag) {
    // Unique violations have another tag, and of the rows that a new version or a protected label
    // refers to, only the workspace can be missing.
    case "ConstraintError":
      return operation === "append" || operation === "protect"
        ? reasons.WorkspaceMissing.make({})
        : reasons.Unavailable.make({ cause })
    case "LockTimeoutError":
    case "SerializationError":
    case "DeadlockError":
      return reasons.Contended.make({})
    default:
      return reasons.Unavailable.make({ cause })
  }
}

/** Maps database failures to those of the port; other failures stay unchanged. */
export const mapSqlError = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError | PresetStoreError) =>
    cause._tag === "SqlError"
      ? new PresetStoreError({ operation, reason: reasonOf(operation, cause) })
      : cause
  )

/** Refuses a draft. */
export const refusal = (reason: PresetStoreError["reason"]) =>
  new PresetStoreError({ operation: "append", reason })

const designateClause = `
    designated_version = verbatim_presets.latest_version + 1,
    designated_version_id = excluded.designated_version_id,`

/**
 * Increments the version number of an existing preset, and designates the version unless it is only
 * staged. A preset whose status comes from a newer release is not changed, because that status may
 * not allow the change.
 */
export const buildNextVersion = (
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

/** A condition on a preset, and the locks that its query takes if several processes can write. */
interface Conditional extends Pick<PresetDraft, "slug" | "workspaceId"> {
  readonly condition: PresetCondition
  /** A clause after the table in the query, which takes another lock before the row is locked. */
  readonly keyLockClause?: Statement.Fragment
  /** A clause that keeps the row unchanged until the version is written. */
  readonly lock?: string
}

/** In the transaction that adds the version, fails if a condition is not met. */
export const checkCondition = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { condition, lock = "", slug, keyLockClause = sql.literal(""), workspaceId }: Conditional
) {
  const [row] =
    yield* sql<Row>`SELECT ${sql.literal(presets.columns)} FROM verbatim_presets ${keyLockClause}
    WHERE workspace_id = ${workspaceId} AND slug = ${slug} ${sql.literal(lock)}`
  const unmet = findUnmetCondition(
    condition,
    row === undefined ? undefined : yield* presets.read(row)
  )
  if (unmet !== undefined) return yield* refusal(reasons.ConditionFailed.make({ unmet }))
})
