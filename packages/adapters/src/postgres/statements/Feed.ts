/** The feed of a server: where it ends, and the deletions of jobs that it tells. */
import type { DeletedRow, DeleteJobs, JobStatements } from "../../sql/job/JobStatements.ts"

/** Everything of a job is deleted with its row: the tables see to that. */
export const deleteJobs: DeleteJobs = (sql, { time, which }) =>
  time.withNow(
    sql,
    (now) => sql<DeletedRow>`
      WITH gone AS (
        DELETE FROM verbatim_jobs WHERE ${which} RETURNING id, workspace_id, revision, state),
      told AS (
        INSERT INTO verbatim_job_deletions (job_id, workspace_id, revision, ordinal, at)
        SELECT id, workspace_id, revision + 1, pg_current_xact_id()::text::bigint, ${now} FROM gone
        ON CONFLICT (job_id) DO UPDATE SET workspace_id = excluded.workspace_id,
          revision = excluded.revision, ordinal = excluded.ordinal, at = excluded.at)
      SELECT id, state FROM gone`
  )

/**
 * The number of the oldest transaction that is still open. Transactions get their numbers when they
 * write first, and commit in any order, so the feed ends before that one: what it wrote, or what
 * one after it wrote, is reported once it has ended. A host's long transaction delays events, and
 * loses none.
 */
export const feedEnd: JobStatements["feedEnd"] = (sql) =>
  sql`(SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`
