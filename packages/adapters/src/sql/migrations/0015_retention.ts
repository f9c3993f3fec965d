/** The end of a job is noted beside it, and one process at a time looks for old ones. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { index, type Step, statements } from "../migration/Migration.ts"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/**
 * Of jobs that an older program wrote, before or beside this one, no end is noted; the second index
 * has them, and whoever looks for old jobs notes it. So nothing is filled here.
 */
const addEnds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { int, strict } = (yield* SchemaStatements).types(sql)
  yield* sql`ALTER TABLE verbatim_jobs ADD COLUMN ended_at ${int}`
  yield* sql`ALTER TABLE verbatim_jobs ADD COLUMN holding ${int} NOT NULL DEFAULT 0`
  yield* sql`
    CREATE TABLE verbatim_retention_turn (
      id ${int} NOT NULL PRIMARY KEY,
      holder TEXT NOT NULL,
      until ${int} NOT NULL
    ) ${strict}`
})

/**
 * Adds two columns, a table of one row, and two indexes. The first grows by one entry when a job
 * ends; the second has only jobs whose transcription has ended and whose end is not noted: those
 * that wait for their summary or their webhook, and those of older programs.
 */
export const steps: ReadonlyArray<Step> = [
  statements(addEnds),
  index(
    "verbatim_jobs_by_end",
    (sql) => sql`verbatim_jobs (workspace_id, holding, ended_at, id) WHERE ended_at IS NOT NULL`
  ),
  index(
    "verbatim_jobs_by_unnoted_end",
    (sql) => sql`verbatim_jobs (workspace_id, accepted_at, id)
      WHERE is_transcription_ended = 1 AND ended_at IS NULL`
  )
]
