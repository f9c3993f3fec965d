/** Stores the work queue in SQL: one row per unfinished job, with the job's lease. */

import { pendingMax, recordOfKinds, WorkKind } from "@verbatim/core/attempt"
import { type PendingCounts, type Renewal, WorkQueue, WorkQueueError } from "@verbatim/core/ports"
import { Array, DateTime, Duration, Effect, Layer, Option, Order } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { readJob } from "./job/JobRows.ts"
import { skipUnreadable } from "./row/Row.ts"
import { makeStore } from "./row/StoreMethods.ts"
import { type FoundLease, type HeldLease, Statements } from "./Statements.ts"
import { ReservedSessions, type StoreTime } from "./session/Sessions.ts"
import type { ClaimedRow } from "./work/Claim.ts"
import * as Limits from "./work/Claim.ts"

const storeOf = makeStore(
  WorkQueue,
  "SqlWorkQueue",
  (operation, cause: SqlError.SqlError) => new WorkQueueError({ operation, cause })
)

/** Sorts claimed work by due time, because RETURNING returns rows in no particular order. */
const earliestFirst = Order.combine(
  Order.mapInput(Order.Number, ({ due_at }: ClaimedRow) => due_at),
  Order.mapInput(Order.String, ({ job_id }: ClaimedRow) => job_id)
)

/**
 * Reads a row that was claimed. A damaged row must not delay the other work in the same claim, so
 * its lease is left to expire.
 */
const readClaimed = ({ job_id, state }: ClaimedRow) =>
  skipUnreadable(readJob(state, `jobs ${job_id}`), job_id)

/** Splits leases into two sets: changed and busy. A lease in neither set is no longer held. */
const toChanged = (rows: ReadonlyArray<FoundLease>) => {
  const ids = (isWanted: boolean) =>
    new Set(rows.flatMap((row) => (!!row.is_changed === isWanted ? [row.job_id] : [])))
  return { changed: ids(true), busy: ids(false) }
}

/** Converts progress to thousandths, because the column holds whole numbers. */
const toThousandths = ({ progress, ...lease }: Renewal) => ({
  ...lease,
  progress: progress === undefined ? undefined : Math.round(progress * 1_000)
})

/** Provides `WorkQueue` over any `SqlClient` with a migrated database. */
export const layer: Layer.Layer<WorkQueue, never, SqlClient.SqlClient | Statements> = Layer.effect(
  WorkQueue
)(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const reserved = yield* ReservedSessions
    const session = reserved?.renewals ?? sql
    const { time, work } = yield* Statements

    const claim = work.makeClaim(sql)

    const changeLeases = (leases: ReadonlyArray<HeldLease>, changes: Statement.Fragment) =>
      Effect.map(work.changeLeases(session, leases, changes), toChanged)

    // The lease of a locked row is not released; it expires instead.
    const ended = session`lease_until = NULL, token = NULL, progress = NULL`

    return storeOf({
      *claim(request) {
        const { hasMore, nowMillis, rows } = yield* claim(request)
        const read = yield* Effect.forEach(Array.sort(rows, earliestFirst), readClaimed)
        return { now: DateTime.makeUnsafe(nowMillis), jobs: read.flatMap(Option.toArray), hasMore }
      },
      *renew(leases) {
        const { busy, changed } = yield* time.withNowExclusive(session, (now) =>
          changeLeases(
            leases.map(toThousandths),
            session`lease_until = ${now} + ${Limits.leaseMillis},
              progress = COALESCE(held.progress, verbatim_work.progress)`
          )
        )
        return { extended: changed, busy }
      },
      release: (leases) =>
        leases.length === 0 ? Effect.void : Effect.asVoid(changeLeases(leases, ended)),
      pendingCounts: countPending(sql, time)
    })
  })
)

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

/**
 * Counts the pending work of each kind in one statement. For each kind, the earliest due rows are
 * read in index order, up to a limit.
 */
const countPending = (
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
