/**
 * All statements that are specific to Postgres. Where SQLite takes several steps, Postgres usually
 * has one statement, because Postgres allows writes inside a query and each statement costs a round
 * trip.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { ChangedLabels } from "../sql/preset/LabelRows.ts"
import type { Statements } from "../sql/Statements.ts"
import type { LockedTransaction } from "../sql/session/Sessions.ts"
import { fromJson, isAmong, makeFind, makeRead } from "./statements/BatchedReads.ts"
import { changeLeases, makeClaim } from "./statements/ClaimStatement.ts"
import { makeCommit } from "./statements/Commits.ts"
import { makeInsert } from "./statements/Inserts.ts"
import { feedEnd, nextOrdinal, serverTime } from "./statements/ServerTime.ts"
import { findByWords, schema } from "./statements/Tables.ts"

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
 * Whether one of these labels is protected, even if the transaction reads an older snapshot. Runs
 * under a lock that prevents others from protecting one of them.
 */
const isAnyProtected = (
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

const makeLockedTransaction =
  (lock: string): LockedTransaction =>
  (sql, name, statements) =>
    sql.withTransaction(
      Effect.andThen(
        sql`SELECT ${sql.literal(lock)}(hashtext('verbatim'), hashtext(${name}))`,
        statements
      )
    )

/** The statements for Postgres. */
export const postgresStatements: Statements["Service"] = {
  time: serverTime,
  reads: {
    fromJson,
    isAmong,
    makeFind,
    makeRead,
    awaitingLocked: "FOR UPDATE",
    passingLocked: "FOR UPDATE SKIP LOCKED"
  },
  exclusive: makeLockedTransaction("pg_advisory_xact_lock"),
  shared: makeLockedTransaction("pg_advisory_xact_lock_shared"),
  jobs: { feedEnd, nextOrdinal, findByWords, makeInsert, makeCommit },
  work: { makeClaim, changeLeases },
  presets: {
    isAnyProtected,
    // In the collation "C", only ASCII letters are converted to lower case.
    isLike: (sql, { column, pattern }) =>
      sql`lower(${sql.literal(column)} COLLATE "C")
        LIKE lower(${pattern}::text COLLATE "C") ESCAPE '!'`
  },
  schema
}
