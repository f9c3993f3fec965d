/**
 * The statements that lease due work, in the form that each dialect needs so that no two claims get
 * the same row: SQLite has one writer at a time, Postgres passes over rows that others have locked.
 */
import { fitting, fullLanes } from "@verbatim/core/job/Lane"
import type { WorkKind } from "@verbatim/core/job/Work"
import { type LeaseToken, leaseDuration, type Room } from "@verbatim/core/ports/WorkQueue"
import { Clock, Duration, Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import * as Dialect from "./Dialect.ts"

type Sql = SqlClient.SqlClient

/** What a worker asks for. */
export interface ClaimRequest extends Room {
  readonly token: LeaseToken
}

/** A row that was leased, with the job as its last commit left it. */
export interface Claimed {
  readonly job_id: string
  readonly due_at: number
  readonly state: unknown
}

/** What was leased, in no order, and the store's own time then. */
export interface Claims {
  readonly nowMillis: number
  readonly rows: ReadonlyArray<Claimed>
  readonly hasMore: boolean
}

/** How long a lease holds, as the rows count it. */
export const leaseMillis: number = Duration.toMillis(leaseDuration)

const wanted = ({ kinds }: Room): ReadonlyArray<readonly [WorkKind, number]> =>
  Object.entries(kinds) as ReadonlyArray<[WorkKind, number]>

/**
 * The earliest rows of each kind that are due, free, and not in a full lane, up to the room of the
 * kind. Each is read from its own stretch of the index: what waits of the other kinds costs
 * nothing, however much it is.
 */
const dueRows = (
  sql: Sql,
  room: Room,
  { lock, now }: { readonly lock: string; readonly now: Statement.Fragment }
): Statement.Fragment => {
  const isLaneOpen = Dialect.isNotAmong(sql, "lane", fullLanes(room.lanes))
  const ofEach = wanted(room).map(
    ([kind, places]) => sql`SELECT * FROM (SELECT job_id, kind, lane, due_at FROM work
      WHERE kind = ${kind} AND due_at <= ${now}
        AND (lease_until IS NULL OR lease_until <= ${now}) AND ${isLaneOpen}
      ORDER BY due_at, job_id LIMIT ${places} ${sql.literal(lock)}) AS one_kind`
  )
  const nothing = sql`SELECT job_id, kind, lane, due_at FROM work WHERE FALSE`
  return sql.join(" UNION ALL ", false)(ofEach.length === 0 ? [nothing] : ofEach)
}

/** A row that a claim has looked at. */
interface Seen {
  readonly job_id: string
  readonly kind: WorkKind
  readonly lane: string
  readonly due_at: number
}

/** Whether there was as much of a kind as there is room for. */
const hasMore = (room: Room, seen: ReadonlyArray<{ readonly kind: WorkKind }>): boolean =>
  wanted(room).some(
    ([kind, places]) => places > 0 && seen.filter((row) => row.kind === kind).length >= places
  )

const onSqlite = (sql: Sql, { token, ...room }: ClaimRequest) => {
  const look = (nowMillis: number) =>
    sql<Seen>`SELECT * FROM (${dueRows(sql, room, { lock: "", now: sql`${nowMillis}` })})
      ORDER BY due_at, job_id`
  const lease = (nowMillis: number, rows: ReadonlyArray<Seen>) => {
    const ids = rows.map(({ job_id }) => job_id)
    return sql<Claimed>`
      UPDATE work SET token = ${token}, progress = NULL, lease_until = ${nowMillis + leaseMillis}
      WHERE ${Dialect.isAmong(sql, "job_id", ids)}
      RETURNING job_id, due_at, (SELECT state FROM jobs WHERE jobs.id = work.job_id) AS state`
  }
  const claim = Effect.gen(function* () {
    const nowMillis = yield* Clock.currentTimeMillis
    const seen = yield* look(nowMillis)
    const rows = seen.length === 0 ? [] : yield* lease(nowMillis, fitting(seen, room.lanes))
    return { nowMillis, rows, hasMore: hasMore(room, seen) }
  })
  return sql.withTransaction(claim)
}

interface Leased {
  readonly now_millis: number
  readonly job_id: string
  readonly kind: WorkKind
  readonly due_at: number
  /** Null when the row was only looked at. */
  readonly state: unknown
}

/**
 * The job is locked like its work, and so read as it is and not as it was when the statement began:
 * a commit may have come in between. Whatever is locked is passed over, so that no claim waits.
 */
const onPostgres = (sql: Sql, { token, ...room }: ClaimRequest) => {
  const { max, taken } = room.lanes
  const now = sql`(SELECT millis FROM now)`
  const lock = "FOR UPDATE SKIP LOCKED"
  const claim = sql<Leased | { readonly now_millis: number; readonly job_id: null }>`
    WITH now AS MATERIALIZED (SELECT ${Dialect.serverMillis(sql)} AS millis),
    seen AS MATERIALIZED (${dueRows(sql, room, { lock, now })}),
    placed AS (
      SELECT *, row_number() OVER (PARTITION BY lane ORDER BY due_at, job_id)
        + COALESCE((${JSON.stringify(taken)}::jsonb ->> lane)::bigint, 0) AS place FROM seen),
    due AS MATERIALIZED (
      SELECT placed.job_id, job.state FROM placed
      CROSS JOIN LATERAL (SELECT state FROM jobs WHERE id = placed.job_id
        FOR SHARE SKIP LOCKED) AS job
      WHERE lane = '' OR place <= ${max}),
    leased AS (
      UPDATE work
      SET token = ${token}, progress = NULL, lease_until = ${now} + ${leaseMillis}
      FROM due WHERE work.job_id = due.job_id
        AND work.job_id = ANY (ARRAY(SELECT job_id FROM due))
      RETURNING work.job_id, due.state)
    SELECT millis AS now_millis, seen.job_id, kind, due_at, state
    FROM now LEFT JOIN (seen LEFT JOIN leased ON leased.job_id = seen.job_id) ON TRUE`
  return Effect.map(claim, (rows) => {
    const seen = rows.filter((row): row is Leased => row.job_id !== null)
    return {
      nowMillis: rows[0]?.now_millis ?? 0,
      rows: seen.filter(({ state }) => state !== null),
      hasMore: hasMore(room, seen)
    }
  })
}

/** Leases what is due and finds room. */
export const claim = (sql: Sql, request: ClaimRequest): Effect.Effect<Claims, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () => onPostgres(sql, request),
    orElse: () => onSqlite(sql, request)
  })
