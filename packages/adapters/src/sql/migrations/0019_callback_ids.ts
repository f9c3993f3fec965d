/** Jobs are found by their callback id. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { callbackIdIn } from "../job/CallbackIds.ts"
import { batches, index, type Step, statements } from "../migration/Migration.ts"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/**
 * Null stands for a job of an older program, whose callback id is not noted; one that has none has
 * an empty text.
 */
const addColumn = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { key } = (yield* SchemaStatements).types(sql)
  yield* sql`ALTER TABLE verbatim_jobs ADD COLUMN callback_id ${key}`
})

/** Rows at a time: each is a job whole. */
const batchMax = 500

/** Notes the callback ids of existing jobs. */
const noteIds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly id: string; readonly state: string }>`
    SELECT id, state FROM verbatim_jobs WHERE callback_id IS NULL LIMIT ${batchMax}`
  const noted = rows.map(({ id, state }) => ({ id, callback_id: callbackIdIn(state) }))
  const values = (yield* SchemaStatements).fromJson(sql, {
    name: "noted",
    json: JSON.stringify(noted),
    columns: { id: "TEXT", callback_id: "TEXT" }
  })
  yield* sql`UPDATE verbatim_jobs SET callback_id = noted.callback_id FROM ${values}
    WHERE verbatim_jobs.id = noted.id`
  return rows.length === batchMax
})

/**
 * The first index has only jobs that are not noted yet: once the rows are filled, those of programs
 * that are older than this migration.
 */
export const steps: ReadonlyArray<Step> = [
  statements(addColumn),
  index(
    "verbatim_jobs_by_unnoted_callback",
    (sql) => sql`verbatim_jobs (workspace_id, id) WHERE callback_id IS NULL`
  ),
  batches(noteIds),
  index(
    "verbatim_jobs_by_callback",
    (sql) => sql`verbatim_jobs (workspace_id, callback_id, id) WHERE callback_id <> ''`
  )
]
