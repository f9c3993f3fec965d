/** The deletion of jobs in a file. */
import { Effect } from "effect"
import type { DeletedRow, DeleteJobs, TellDeleted } from "../../sql/job/JobStatements.ts"
import { nextOrdinal } from "./FeedSteps.ts"

interface GoneRow extends DeletedRow {
  readonly workspace_id: string
  readonly revision: number
}

/** The row of one that is deleted in steps. */
export const tellDeleted: TellDeleted = Effect.fnUntraced(function* (
  sql,
  { id, revision, time, workspaceId }
) {
  const [at, ordinal] = [yield* time.millis(sql), yield* nextOrdinal(sql)]
  const row = { job_id: id, workspace_id: workspaceId, revision, ordinal, at }
  yield* sql`INSERT OR REPLACE INTO job_deletions ${sql.insert(row)}`
})

/** Everything of a job is deleted with its row: the tables see to that. */
export const deleteJobs: DeleteJobs = (sql, { time, which }) =>
  sql.withTransaction(
    Effect.gen(function* () {
      const gone = yield* sql<GoneRow>`DELETE FROM jobs WHERE ${which}
        RETURNING id, workspace_id, revision, state`
      if (gone.length === 0) return gone
      const [at, ordinal] = [yield* time.millis(sql), yield* nextOrdinal(sql)]
      const rows = gone.map(({ id, revision, workspace_id }) => ({
        job_id: id,
        workspace_id,
        revision: revision + 1,
        ordinal,
        at
      }))
      for (const row of rows) {
        yield* sql`INSERT OR REPLACE INTO job_deletions ${sql.insert(row)}`
      }
      return gone
    })
  )
