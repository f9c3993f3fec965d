/**
 * Changes of many leases in one statement, which waits for nobody: one row that somebody has locked
 * would otherwise cost all of them.
 */
import type { FoundLease, WorkStatements } from "../../sql/work/WorkStatements.ts"

/** Changes the held leases that nobody has locked; returns these, and the locked ones. */
export const changeLeases: WorkStatements["changeLeases"] = (sql, leases, changes) =>
  sql<FoundLease>`
    WITH lease AS MATERIALIZED (
      SELECT "jobId" AS job_id, token, progress
      FROM jsonb_to_recordset(${JSON.stringify(leases)}::jsonb)
        AS lease ("jobId" TEXT, token TEXT, progress BIGINT)),
    held AS MATERIALIZED (
      SELECT lease.* FROM lease CROSS JOIN LATERAL (
        SELECT FROM verbatim_work WHERE verbatim_work.job_id = lease.job_id
          AND verbatim_work.token = lease.token
        FOR UPDATE SKIP LOCKED) AS locked),
    changed AS (
      UPDATE verbatim_work SET ${changes} FROM held
      WHERE verbatim_work.job_id = held.job_id AND verbatim_work.token = held.token
        AND verbatim_work.job_id = ANY (ARRAY(SELECT job_id FROM held))
      RETURNING verbatim_work.job_id)
    SELECT job_id, TRUE AS is_changed FROM changed
    UNION ALL
    SELECT lease.job_id, FALSE FROM lease CROSS JOIN LATERAL (
      SELECT FROM verbatim_work WHERE verbatim_work.job_id = lease.job_id
        AND verbatim_work.token = lease.token) AS seen
    WHERE lease.job_id NOT IN (SELECT job_id FROM held)`
