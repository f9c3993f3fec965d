/**
 * Whether somebody protects a label, also for a transaction that sees no more than what there was
 * when it began to read.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { LabelsTaken } from "../../sql/preset/LabelRows.ts"

/** Below these a statement sees all that was committed before it. */
const isSnapshot = "current_setting('transaction_isolation') IN ('repeatable read', 'serializable')"

/**
 * Fails, for the transaction to be repeated, when somebody has protected one of these labels since
 * it began to read. A unique index knows rows that a snapshot does not show: to insert beside one
 * is refused with 40001. What could be inserted goes again at once; nobody else sees it.
 */
const judgeSnapshot = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { labels, workspaceId }: LabelsTaken
) {
  for (const label of labels) {
    const row = { workspace_id: workspaceId, label, user_id: null, at: 0 }
    yield* sql`INSERT INTO verbatim_protected_labels ${sql.insert(row)} ON CONFLICT DO NOTHING`
  }
  yield* sql`DELETE FROM verbatim_protected_labels
    WHERE workspace_id = ${workspaceId} AND ${sql.in("label", labels)}`
})

interface Answer {
  readonly snapshot: boolean
  readonly held: boolean
}

/** Whether somebody protects one of these labels, in a turn that keeps such people out. */
export const isAnyProtected = (
  sql: SqlClient.SqlClient,
  taken: LabelsTaken
): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.gen(function* () {
    const { labels, workspaceId } = taken
    if (labels.length === 0) return false
    const [answer] = yield* sql<Answer>`SELECT ${sql.literal(isSnapshot)} AS snapshot,
      EXISTS (SELECT 1 FROM verbatim_protected_labels
        WHERE workspace_id = ${workspaceId} AND ${sql.in("label", labels)}) AS held`
    if (answer?.held === true) return true
    if (answer?.snapshot === true) yield* judgeSnapshot(sql, taken)
    return false
  })
