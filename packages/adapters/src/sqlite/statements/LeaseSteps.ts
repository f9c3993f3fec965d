/**
 * Changes of many leases. One writer at a time: nothing is ever locked.
 */
import type { FoundLease, WorkStatements } from "../../sql/work/WorkStatements.ts"

/** Changes those that are held. */
export const changeLeases: WorkStatements["changeLeases"] = (sql, leases, changes) =>
  sql<FoundLease>`
    WITH held AS (
      SELECT value ->> 'jobId' AS job_id, value ->> 'token' AS token,
        value ->> 'progress' AS progress
      FROM json_each(${JSON.stringify(leases)}))
    UPDATE verbatim_work SET ${changes} FROM held
    WHERE verbatim_work.job_id = held.job_id AND verbatim_work.token = held.token
    RETURNING verbatim_work.job_id AS job_id, TRUE AS is_changed`
