/** The feed in a file. With one writer at a time, ordinals rise in the order of the commits. */
import type { WorkspaceId } from "@verbatim/core/workspace"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { DeletedRow, DeleteJobs, JobStatements } from "../../sql/job/JobStatements.ts"
import type { Row } from "../../sql/row/Row.ts"

/** Reserves the next ordinal of the feed, in the caller's transaction. */
const nextOrdinal = (sql: SqlClient.SqlClient): Effect.Effect<number, SqlError.SqlError> =>
  Effect.map(
    sql<{
      readonly ordinal: number
    }>`UPDATE verbatim_job_feed SET ordinal = ordinal + 1 WHERE id = 1
    RETURNING ordinal`,
    ([counted]) => counted?.ordinal ?? 0
  )

/** Writes a row of `job_history` as the last row of the feed, in the caller's transaction. */
export const appendEntry = (
  sql: SqlClient.SqlClient,
  row: Row
): Effect.Effect<void, SqlError.SqlError> =>
  nextOrdinal(sql).pipe(
    Effect.flatMap(
      (ordinal) => sql`INSERT INTO verbatim_job_history ${sql.insert({ ...row, ordinal })}`
    ),
    Effect.asVoid
  )

/** The ordinal after the last commit. */
export const feedEnd: JobStatements["feedEnd"] = (sql) =>
  sql`(SELECT verbatim_job_feed.ordinal + 1 FROM verbatim_job_feed)`

interface GoneRow extends DeletedRow {
  readonly workspace_id: WorkspaceId
  readonly revision: number
}

/** Deletes job rows. Everything that belongs to the jobs is deleted too, through foreign keys. */
export const deleteJobs: DeleteJobs = (sql, { time, which }) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const rows = yield* sql<GoneRow>`DELETE FROM verbatim_jobs WHERE ${which}
        RETURNING id, workspace_id, revision, state`
      if (rows.length === 0) return rows
      // Jobs that are deleted together have the same position in the feed.
      const [at, ordinal] = [yield* time.millis(sql), yield* nextOrdinal(sql)]
      for (const { id, revision, workspace_id } of rows) {
        const row = { job_id: id, workspace_id, revision: revision + 1, ordinal, at }
        yield* sql`INSERT OR REPLACE INTO verbatim_job_deletions ${sql.insert(row)}`
      }
      return rows
    })
  )
