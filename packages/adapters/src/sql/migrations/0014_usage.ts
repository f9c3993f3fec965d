/**
 * Charges and work know the key that asked for them: charges are found by the time in which a
 * workspace made them, and what is unfinished by its key. And requests in a second are counted.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { index, type Step, statements } from "../migration/Migration.ts"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/** What an older program writes names no key. */
const addUsage = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { int, key, strict } = (yield* SchemaStatements).types(sql)
  yield* sql`ALTER TABLE verbatim_ledger ADD COLUMN key_id ${key}`
  yield* sql`ALTER TABLE verbatim_work ADD COLUMN key_id ${key}`
  yield* sql`
    CREATE TABLE verbatim_request_rates (
      name ${key} NOT NULL PRIMARY KEY,
      level ${int} NOT NULL,
      taken ${int} NOT NULL,
      at ${int} NOT NULL
    ) ${strict}`
})

/**
 * Adds the columns, and the two indexes. Work is not indexed by workspace and key: Postgres would
 * take such an index for the walk round the lanes of a workspace, which needs `work_by_lane`.
 */
export const steps: ReadonlyArray<Step> = [
  statements(addUsage),
  index("verbatim_ledger_by_time", (sql) => sql`verbatim_ledger (workspace_id, at)`),
  index("verbatim_work_by_key", (sql) => sql`verbatim_work (key_id)`)
]
