/**
 * The statement that leases due work, in the form that each dialect needs so that no two claims get
 * the same row: SQLite has one writer at a time, Postgres passes over rows that others have locked.
 */
import { leaseDuration, type WorkQueue } from "@verbatim/core/ports/WorkQueue"
import { Clock, Duration, Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import * as Dialect from "./Dialect.ts"

type Sql = SqlClient.SqlClient

/** What a worker asks for. */
export type ClaimRequest = Parameters<WorkQueue["Service"]["claim"]>[0]

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
}

/** How long a lease holds, as the rows count it. */
export const leaseMillis: number = Duration.toMillis(leaseDuration)

/**
 * The earliest rows of the kinds that are due and free. Each kind is read from its own stretch of
 * the index, up to the limit: what waits of the other kinds costs nothing, however much it is.
 */
const dueRows = (
  sql: Sql,
  { busyLanes, kinds, limit }: ClaimRequest,
  { lock, now }: { readonly lock: string; readonly now: Statement.Fragment }
): Statement.Fragment => {
  const isLaneFree = Dialect.isNotAmong(sql, "lane", busyLanes)
  const ofEach = kinds.map(
    (kind) => sql`SELECT * FROM (SELECT job_id, due_at FROM work
      WHERE kind = ${kind} AND due_at <= ${now}
        AND (lease_until IS NULL OR lease_until <= ${now}) AND ${isLaneFree}
      ORDER BY due_at, job_id LIMIT ${limit} ${sql.literal(lock)}) AS one_kind`
  )
  const ofAny = ofEach.length === 0 ? [sql`SELECT job_id, due_at FROM work WHERE FALSE`] : ofEach
  return sql`(SELECT * FROM (${sql.join(" UNION ALL ", false)(ofAny)}) AS due
    ORDER BY due_at, job_id LIMIT ${limit})`
}

const onSqlite = (sql: Sql, request: ClaimRequest) => {
  const claim = (nowMillis: number) => {
    const due = dueRows(sql, request, { lock: "", now: sql`${nowMillis}` })
    return sql<Claimed>`
      UPDATE work
      SET token = ${request.token}, progress = NULL, lease_until = ${nowMillis + leaseMillis}
      WHERE job_id IN (SELECT job_id FROM ${due})
      RETURNING job_id, due_at, (SELECT state FROM jobs WHERE jobs.id = work.job_id) AS state`
  }
  return sql.withTransaction(
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      Effect.map(claim(nowMillis), (rows) => ({ nowMillis, rows }))
    )
  )
}

interface Leased {
  readonly now_millis: number
  readonly job_id: string | null
  readonly due_at: number
  readonly state: unknown
}

/**
 * The job is locked like its work, and so read as it is and not as it was when the statement began:
 * a commit may have come in between. Whatever is locked is passed over, so that no claim waits.
 */
const onPostgres = (sql: Sql, request: ClaimRequest) => {
  const now = sql`(SELECT millis FROM now)`
  const lock = "FOR UPDATE SKIP LOCKED"
  const claim = sql<Leased>`
    WITH now AS MATERIALIZED (SELECT ${Dialect.serverMillis(sql)} AS millis),
    due AS MATERIALIZED (
      SELECT free.job_id, job.state FROM ${dueRows(sql, request, { lock, now })} AS free
      CROSS JOIN LATERAL (SELECT state FROM jobs WHERE id = free.job_id
        FOR SHARE SKIP LOCKED) AS job),
    leased AS (
      UPDATE work
      SET token = ${request.token}, progress = NULL, lease_until = ${now} + ${leaseMillis}
      FROM due WHERE work.job_id = due.job_id
      RETURNING work.job_id, work.due_at, due.state)
    SELECT millis AS now_millis, job_id, due_at, state FROM now LEFT JOIN leased ON TRUE`
  return Effect.map(claim, (rows) => ({
    nowMillis: rows[0]?.now_millis ?? 0,
    rows: rows.filter((row): row is Leased & Claimed => row.job_id !== null)
  }))
}

/** Leases what is due. No kind may be named twice. */
export const claim = (sql: Sql, request: ClaimRequest): Effect.Effect<Claims, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () => onPostgres(sql, request),
    orElse: () => onSqlite(sql, request)
  })
