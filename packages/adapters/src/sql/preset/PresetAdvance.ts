/**
 * How a preset counts its next version, or refuses to. Its row comes first, so that writers of one
 * preset wait for each other there.
 */
import { PresetStoreError } from "@verbatim/core/ports"
import { type PresetCondition, type PresetDraft, unmetBy } from "@verbatim/core/preset"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { Row } from "../row/Row.ts"
import { presets } from "./PresetRows.ts"

type Reason = PresetStoreError["reason"]

/** Why a preset takes no version. */
export const reasons = PresetStoreError.fields.reason.cases

const reasonOf = (operation: string, cause: SqlError.SqlError): Reason => {
  switch (cause.reason._tag) {
    // Uniqueness has a tag of its own, and the workspace is the only thing that a new version, or a
    // protected label, needs and that may be missing.
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

/** Puts a failure of the database in the words of the port; other failures stay as they are. */
export const mapSqlError = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError | PresetStoreError) =>
    cause._tag === "SqlError"
      ? new PresetStoreError({ operation, reason: reasonOf(operation, cause) })
      : cause
  )

/** The refusal of a draft. */
export const refusal = (reason: PresetStoreError["reason"]) =>
  new PresetStoreError({ operation: "append", reason })

const designating = `
    designated_version = verbatim_presets.latest_version + 1,
    designated_version_id = excluded.designated_version_id,`

/**
 * A preset that exists counts its next version, which is designated unless it is only staged; but
 * not in a status of a newer program, in which it may take none.
 */
export const buildAdvance = (
  sql: SqlClient.SqlClient,
  { stage }: Pick<PresetDraft, "stage">
): Statement.Fragment => sql`
  ON CONFLICT (workspace_id, slug) DO UPDATE SET
    revision = verbatim_presets.revision + 1,
    latest_version = verbatim_presets.latest_version + 1, ${sql.literal(stage ? "" : designating)}
    updated_at = excluded.updated_at
  WHERE verbatim_presets.status IN ('Active', 'Disabled')
  RETURNING ${sql.literal(presets.columns)}`

/** Which preset a condition is about, and what its query locks where several may write. */
interface Conditional extends Pick<PresetDraft, "slug" | "workspaceId"> {
  readonly condition: PresetCondition
  /** What follows the table in the query: a turn that is taken before the row is locked. */
  readonly turn?: Statement.Fragment
  /** The row must stay as it is until the version is there. */
  readonly lock?: string
}

/** Fails when a condition does not hold, in the transaction that adds the version. */
export const checkCondition = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { condition, lock = "", slug, turn = sql.literal(""), workspaceId }: Conditional
) {
  const [row] = yield* sql<Row>`SELECT ${sql.literal(presets.columns)} FROM verbatim_presets ${turn}
    WHERE workspace_id = ${workspaceId} AND slug = ${slug} ${sql.literal(lock)}`
  const unmet = unmetBy(condition, row === undefined ? undefined : yield* presets.read(row))
  if (unmet !== undefined) return yield* refusal(reasons.ConditionFailed.make({ unmet }))
})
