/** A version of a preset remembers the format of the request that it was made from. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Versions that an older program wrote, before or beside this one, have none; whoever resolves one
 * goes by its fields.
 */
export const migration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE verbatim_preset_versions ADD COLUMN request_format TEXT`
})
