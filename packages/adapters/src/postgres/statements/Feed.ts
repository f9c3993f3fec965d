/** Finds the end of the feed on a server, and adds the deletions of jobs to the feed. */
import type { DeletedRow, DeleteJobs, JobStatements } from "../../sql/job/JobStatements.ts"

/** Deletes job rows. Everything that belongs to the jobs is deleted too, through foreign keys. */
export const deleteJobs: DeleteJobs = (sql, { time, which }) =>
  time.withNow(
    sql,
    (now) => sql<DeletedRow>`
      WITH gone AS (
        DELETE FROM verbatim_jobs WHERE ${which} RETURNING id, workspace_id, revision, state),
      recorded AS (
        INSERT INTO verbatim_job_deletions (job_id, workspace_id, revision, ordinal, at)
        SELECT id, workspace_id, revision + 1, pg_current_xact_id()::text::bigint, ${now} FROM gone
        ON CONFLICT (job_id) DO UPDATE SET workspace_id = excluded.workspace_id,
          revision = excluded.revision, ordinal = excluded.ordinal, at = excluded.at)
      SELECT id, state FROM gone`
  )

/**
 * The number of the oldest open transaction. Transactions get their numbers at their first write,
 * but can commit in any order, so the feed ends before the oldest open transaction. The writes of
 * that transaction and of later ones are reported after it has ended. A long transaction of a host
 * delays events, but no events are lost.
 */
export const feedEnd: JobStatements["feedEnd"] = (sql) =>
  sql`(SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`
