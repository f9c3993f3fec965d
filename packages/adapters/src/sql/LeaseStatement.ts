/**
 * Changes of many leases in one statement, which waits for nobody: one row that somebody has locked
 * would otherwise cost all of them.
 */
import type { JobId } from "@verbatim/core/domain/attempt/JobId"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

type Sql = SqlClient.SqlClient

/** What identifies a lease, and what a renewal brings along. */
export interface HeldLease {
  readonly jobId: JobId
  readonly token: string
  /** In thousandths. */
  readonly progress?: number | undefined
}

/** What became of leases. One that is in neither set is no longer held. */
export interface Changed {
  readonly changed: ReadonlySet<JobId>
  /** Held when the statement began, but locked by somebody, who may be ending the lease. */
  readonly busy: ReadonlySet<JobId>
}

interface Found {
  readonly job_id: JobId
  readonly is_changed: boolean
}

const onPostgres = (sql: Sql, leases: ReadonlyArray<HeldLease>, changes: Statement.Fragment) =>
  sql<Found>`
    WITH lease AS MATERIALIZED (
      SELECT "jobId" AS job_id, token, progress
      FROM jsonb_to_recordset(${JSON.stringify(leases)}::jsonb)
        AS lease ("jobId" TEXT, token TEXT, progress BIGINT)),
    held AS MATERIALIZED (
      SELECT lease.* FROM lease CROSS JOIN LATERAL (
        SELECT FROM work WHERE work.job_id = lease.job_id AND work.token = lease.token
        FOR UPDATE SKIP LOCKED) AS locked),
    changed AS (
      UPDATE work SET ${changes} FROM held
      WHERE work.job_id = held.job_id AND work.token = held.token
        AND work.job_id = ANY (ARRAY(SELECT job_id FROM held))
      RETURNING work.job_id)
    SELECT job_id, TRUE AS is_changed FROM changed
    UNION ALL
    SELECT lease.job_id, FALSE FROM lease CROSS JOIN LATERAL (
      SELECT FROM work WHERE work.job_id = lease.job_id AND work.token = lease.token) AS seen
    WHERE lease.job_id NOT IN (SELECT job_id FROM held)`

/** One writer at a time: nothing is ever locked. */
const onSqlite = (sql: Sql, leases: ReadonlyArray<HeldLease>, changes: Statement.Fragment) =>
  sql<Found>`
    WITH held AS (
      SELECT value ->> 'jobId' AS job_id, value ->> 'token' AS token,
        value ->> 'progress' AS progress
      FROM json_each(${JSON.stringify(leases)}))
    UPDATE work SET ${changes} FROM held
    WHERE work.job_id = held.job_id AND work.token = held.token
    RETURNING work.job_id AS job_id, TRUE AS is_changed`

/** Changes those that are held, in terms of `work` and `held (job_id, token, progress)`. */
export const changeLeases = (
  sql: Sql,
  leases: ReadonlyArray<HeldLease>,
  changes: Statement.Fragment
): Effect.Effect<Changed, SqlError.SqlError> => {
  const found = sql.onDialectOrElse({
    pg: () => onPostgres(sql, leases, changes),
    orElse: () => onSqlite(sql, leases, changes)
  })
  return Effect.map(found, (rows) => {
    const ids = (isWanted: boolean) =>
      new Set(rows.flatMap((row) => (!!row.is_changed === isWanted ? [row.job_id] : [])))
    return { changed: ids(true), busy: ids(false) }
  })
}
