/** Workspaces have keywords. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A workspace that an older program makes or changes has none, or keeps those that it has. */
export const migration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE verbatim_workspaces ADD COLUMN keywords TEXT NOT NULL DEFAULT '[]'`
})
