/** Finds the end of the feed on a server, and adds deletions of jobs to the feed. */
import type { DeletedRow, DeleteJobs, JobStatements } from "../../sql/job/JobStatements.ts"

/** Deletes job rows. Foreign keys delete everything that belongs to them. */
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
 * and commit in any order, so the feed ends before the oldest open transaction. That transaction's
 * writes, and those of later ones, are reported once it has ended. A host's long transaction delays
 * events, but loses none.
 */
export const feedEnd: JobStatements["feedEnd"] = (sql) =>
  sql`(SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`
