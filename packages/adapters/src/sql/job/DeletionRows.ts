/**
 * Deletes jobs. For some time, a row for each deleted job reports the deletion to readers of the
 * feed.
 */
import type { JobId } from "@verbatim/core/attempt"
import { deletionRetention } from "@verbatim/core/ports"
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Duration, Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { RowReads } from "../row/RowStatements.ts"
import { type Sweep, sweepMax } from "../row/Sweep.ts"
import type { StoreTime } from "../session/Sessions.ts"
import type { JobStatements } from "./JobStatements.ts"

/** The parts of the statements in this file that differ between databases. */
export interface DeletionStatements {
  readonly jobs: Pick<JobStatements, "feedEnd" | "nextOrdinal">
  readonly reads: Pick<RowReads, "fromJson" | "passingLocked">
  readonly time: StoreTime
}

/** A deleted job's last state. */
export interface DeletedRow {
  readonly id: JobId
  readonly state: string
}

interface GoneRow extends DeletedRow {
  readonly workspace_id: WorkspaceId
  readonly revision: number
}

/**
 * Deletes the job rows that meet a condition, and adds the deletions to the feed, in one
 * transaction. Foreign keys also delete everything that belongs to the jobs. Jobs that are deleted
 * together have the same position in the feed.
 */
export const deleteJobs = (
  sql: SqlClient.SqlClient,
  { jobs, reads, time }: DeletionStatements,
  which: Statement.Fragment
): Effect.Effect<ReadonlyArray<DeletedRow>, SqlError.SqlError> =>
  sql.withTransaction(
    Effect.gen(function* () {
      const rows = yield* sql<GoneRow>`DELETE FROM verbatim_jobs WHERE ${which}
        RETURNING id, workspace_id, revision, state`
      if (rows.length === 0) return rows
      const gone = reads.fromJson(sql, {
        name: "gone",
        json: JSON.stringify(rows.map(({ state: _, ...row }) => row)),
        columns: { id: "TEXT", workspace_id: "TEXT", revision: "BIGINT" }
      })
      const ordinal = yield* jobs.nextOrdinal(sql)
      // SQLite needs a condition here: without one, it would read ON CONFLICT as part of the query.
      yield* time.withNow(
        sql,
        (now) => sql`
          INSERT INTO verbatim_job_deletions (job_id, workspace_id, revision, ordinal, at)
          SELECT id, workspace_id, revision + 1, ${ordinal}, ${now} FROM ${gone} WHERE TRUE
          ON CONFLICT (job_id) DO UPDATE SET workspace_id = excluded.workspace_id,
            revision = excluded.revision, ordinal = excluded.ordinal, at = excluded.at`
      )
      return rows
    })
  )

const keptMillis = Duration.toMillis(deletionRetention)

/**
 * Creates the sweep that deletes the oldest rows that are no longer needed. In the same
 * transaction, the sweep records the position up to which the feed has lost deletions: readers with
 * an earlier cursor are reset. Rows that subscribers have not yet received, because an older
 * transaction is still open, are kept. A row with a timestamp in the future was written before the
 * clock was set back. A row like this is deleted, because it would block all later rows.
 */
export const makeSweep = (
  sql: SqlClient.SqlClient,
  { jobs, reads, time }: DeletionStatements
): Sweep => ({
  what: "Old deletions",
  stepMax: sweepMax,
  step: Effect.gen(function* () {
    const now = yield* time.millis(sql)
    // Postgres may run a subquery once per row, and would then delete more rows than the limit.
    const rows = yield* sql<{ readonly ordinal: number }>`WITH oldest AS MATERIALIZED (
        SELECT job_id FROM verbatim_job_deletions WHERE ordinal < ${jobs.feedEnd(sql)}
        ORDER BY ordinal, job_id LIMIT ${sweepMax} ${sql.literal(reads.passingLocked)})
      DELETE FROM verbatim_job_deletions
      WHERE (at <= ${now - keptMillis} OR at > ${now + keptMillis})
        AND job_id IN (SELECT job_id FROM oldest)
      RETURNING ordinal`
    const last = rows.reduce((most, { ordinal }) => Math.max(most, ordinal), 0)
    if (rows.length > 0) {
      yield* sql`UPDATE verbatim_job_feed SET forgotten = ${last} WHERE forgotten < ${last}`
    }
    return rows.length
  }).pipe(sql.withTransaction)
})
