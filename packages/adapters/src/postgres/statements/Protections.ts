/** Checks whether a label is protected, even in a transaction that reads an older snapshot. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { ChangedLabels } from "../../sql/preset/LabelRows.ts"

/**
 * Whether the isolation level uses one snapshot for the whole transaction. At lower levels, a
 * statement sees everything that was committed before it.
 */
const isSnapshot = "current_setting('transaction_isolation') IN ('repeatable read', 'serializable')"

/**
 * Fails if one of these labels was protected after the transaction's snapshot was taken, so that
 * the transaction is repeated. A unique index also contains rows that are not in the snapshot, so
 * inserting a duplicate is refused with 40001. If the row could be inserted, it is deleted
 * immediately, before any other transaction can see it.
 */
const checkSnapshot = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { labels, workspaceId }: ChangedLabels
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

/**
 * Whether one of these labels is protected. Runs under a lock that prevents others from protecting
 * one of them.
 */
export const isAnyProtected = (
  sql: SqlClient.SqlClient,
  taken: ChangedLabels
): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.gen(function* () {
    const { labels, workspaceId } = taken
    if (labels.length === 0) return false
    const [answer] = yield* sql<Answer>`SELECT ${sql.literal(isSnapshot)} AS snapshot,
      EXISTS (SELECT 1 FROM verbatim_protected_labels
        WHERE workspace_id = ${workspaceId} AND ${sql.in("label", labels)}) AS held`
    if (answer?.held === true) return true
    if (answer?.snapshot === true) yield* checkSnapshot(sql, taken)
    return false
  })
