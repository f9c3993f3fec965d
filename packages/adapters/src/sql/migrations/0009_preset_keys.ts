/** Repeated writes of presets are recognised: versions by idempotency keys, changes by ids. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/** Adds both tables. */
export const migration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { clustered, int, key } = (yield* SchemaStatements).types(sql)

  // The reference is checked when its statement ends: then there is no record without its version.
  yield* sql`
    CREATE TABLE verbatim_preset_keys (
      workspace_id ${key} NOT NULL,
      key ${key} NOT NULL,
      fingerprint TEXT NOT NULL,
      version_id ${key} NOT NULL REFERENCES verbatim_preset_versions (id),
      at ${int} NOT NULL,
      PRIMARY KEY (workspace_id, key)
    ) ${clustered}`
  yield* sql`CREATE INDEX verbatim_preset_keys_by_age ON verbatim_preset_keys (at)`

  yield* sql`
    CREATE TABLE verbatim_preset_changes (
      id ${key} NOT NULL PRIMARY KEY,
      preset_id ${key} NOT NULL REFERENCES verbatim_presets (id),
      revision ${int} NOT NULL
    ) ${clustered}`
})
