/**
 * A job that was deleted leaves a small row in the feed, for a while; and the progress of jobs at
 * work is found without looking at those that wait.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { index, type Step, statements } from "../migration/Migration.ts"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/** Jobs that an older program deletes leave no row. */
const addDeletions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { int, key, strict } = (yield* SchemaStatements).types(sql)
  yield* sql`
    CREATE TABLE verbatim_job_deletions (
      job_id ${key} NOT NULL PRIMARY KEY,
      workspace_id ${key} NOT NULL,
      revision ${int} NOT NULL,
      ordinal ${int} NOT NULL,
      at ${int} NOT NULL
    ) ${strict}`
  yield* sql`CREATE INDEX verbatim_job_deletions_by_ordinal ON verbatim_job_deletions (ordinal, job_id, revision)`
  yield* sql`ALTER TABLE verbatim_job_feed ADD COLUMN forgotten ${int} NOT NULL DEFAULT 0`
})

/**
 * The index has a row for each job that is being recognised. A lease that is taken or renewed
 * without progress touches no index, as before.
 */
export const steps: ReadonlyArray<Step> = [
  statements(addDeletions),
  index(
    "verbatim_work_by_progress",
    (sql) => sql`verbatim_work (workspace_id, job_id) WHERE progress IS NOT NULL`
  )
]
