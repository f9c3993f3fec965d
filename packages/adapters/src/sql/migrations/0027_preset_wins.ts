/** A version of a preset names the fields that count in place of a request's own. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A JSON list; null for versions that name none, such as those that an older program writes. */
export const migration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE verbatim_preset_versions ADD COLUMN wins TEXT`
})
