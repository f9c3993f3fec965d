/**
 * Whether the condition of a draft holds, judged in the transaction that adds its version.
 */
import { isConditional, type PresetDraft, unmetBy } from "@verbatim/core/preset"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Row } from "../row/Row.ts"
import { reasons, refusal } from "./PresetAdvance.ts"
import { presets } from "./PresetRows.ts"

/**
 * Fails when the condition of a draft does not hold. `lock` ends the query of a database that has
 * several writers: the row must stay as it is until the version is there.
 */
export const checkCondition = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { condition, slug, workspaceId }: PresetDraft,
  lock = ""
) {
  if (!isConditional(condition)) return
  const [row] = yield* sql<Row>`SELECT ${sql.literal(presets.columns)} FROM presets
    WHERE workspace_id = ${workspaceId} AND slug = ${slug} ${sql.literal(lock)}`
  const unmet = unmetBy(condition, row === undefined ? undefined : yield* presets.read(row))
  if (unmet !== undefined) return yield* refusal(reasons.ConditionFailed.make({ unmet }))
})
