/**
 * Counts the work that jobs owe, kind by kind, in one statement. Of each kind it reads the rows
 * that are due first, in the order of their index, and no more than so many.
 */
import { owedMax, recordOfKinds, WorkKind } from "@verbatim/core/attempt"
import type { PendingCounts } from "@verbatim/core/ports"
import { Duration, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { StoreTime } from "../session/Sessions.ts"

interface OwedRow {
  readonly kind: WorkKind
  readonly waiting: number
  readonly held: number
  readonly later: number
  /** In milliseconds; null when none waits. */
  readonly age: number | null
}

const toOwed = (row: OwedRow | undefined): PendingCounts => ({
  waiting: row?.waiting ?? 0,
  held: row?.held ?? 0,
  later: row?.later ?? 0,
  age: Duration.millis(row?.age ?? 0)
})

/** What is owed of each kind. */
export const countOwed = (
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
        ORDER BY due_at, job_id LIMIT ${owedMax}) AS one_kind`
    const counted = sql.join(" UNION ALL ", false)(WorkKind.literals.map(ofKind))
    return Effect.map(sql<OwedRow>`${counted}`, (rows) =>
      recordOfKinds((kind) => toOwed(rows.find((row) => row.kind === kind)))
    )
  })
