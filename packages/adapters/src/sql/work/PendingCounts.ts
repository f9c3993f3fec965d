/**
 * Counts pending work, kind by kind, in one statement. For each kind, the earliest due rows are
 * read in the order of an index, up to a limit.
 */
import { pendingMax, recordOfKinds, WorkKind } from "@verbatim/core/attempt"
import type { PendingCounts } from "@verbatim/core/ports"
import { Duration, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { StoreTime } from "../session/Sessions.ts"

interface PendingRow {
  readonly kind: WorkKind
  readonly waiting: number
  readonly held: number
  readonly later: number
  /** The age of the oldest waiting work in milliseconds, or null if no work is waiting. */
  readonly age: number | null
}

const toPendingWork = (row: PendingRow | undefined): PendingCounts => ({
  waiting: row?.waiting ?? 0,
  held: row?.held ?? 0,
  later: row?.later ?? 0,
  age: Duration.millis(row?.age ?? 0)
})

/** Counts the pending work of each kind. */
export const countPending = (
  sql: SqlClient.SqlClient,
  time: StoreTime
): Effect.Effect<Readonly<Record<WorkKind, PendingCounts>>, SqlError.SqlError> =>
  time.withNow(sql, (now) => {
    const isFree = sql.literal("(lease_until IS NULL OR lease_until <= millis)")
    const ofKind = (kind: WorkKind) => sql`
      SELECT ${sql.literal(`'${kind}'`)} AS kind,
        count(*) FILTER (WHERE NOT ${isFree}) AS held,
        count(*) FILTER (WHERE ${isFree} AND due_at <= millis) AS waiting,
        count(*) FILTER (WHERE ${isFree} AND due_at > millis) AS later,
        max(millis - due_at) FILTER (WHERE ${isFree} AND due_at <= millis) AS age
      FROM (SELECT ${now} AS millis) AS clock CROSS JOIN (SELECT due_at, lease_until
        FROM verbatim_work
        WHERE kind = ${sql.literal(`'${kind}'`)}
        ORDER BY due_at, job_id LIMIT ${pendingMax}) AS one_kind`
    const counted = sql.join(" UNION ALL ", false)(WorkKind.literals.map(ofKind))
    return Effect.map(sql<PendingRow>`${counted}`, (rows) =>
      recordOfKinds((kind) => toPendingWork(rows.find((row) => row.kind === kind)))
    )
  })
