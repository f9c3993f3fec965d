/** The deletion of jobs on a server: one statement, with the rows that tell of it. */
import type { DeletedRow, DeleteJobs } from "../../sql/job/JobStatements.ts"

/** Everything of a job is deleted with its row: the tables see to that. */
export const deleteJobs: DeleteJobs = (sql, { time, which }) =>
  time.withNow(
    sql,
    (now) => sql<DeletedRow>`
      WITH gone AS (
        DELETE FROM jobs WHERE ${which} RETURNING id, workspace_id, revision, state),
      told AS (
        INSERT INTO job_deletions (job_id, workspace_id, revision, ordinal, at)
        SELECT id, workspace_id, revision + 1, pg_current_xact_id()::text::bigint, ${now} FROM gone
        ON CONFLICT (job_id) DO UPDATE SET workspace_id = excluded.workspace_id,
          revision = excluded.revision, ordinal = excluded.ordinal, at = excluded.at)
      SELECT id, state FROM gone`
  )
