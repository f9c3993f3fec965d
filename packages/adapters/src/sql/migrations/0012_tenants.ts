/**
 * Workspaces have a standing, and a name of the host's own; keys have names, users of a host,
 * scopes, an end and a last use; operators have keys.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { index, type Step, statements } from "../migration/Migration.ts"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/** What an older program writes is active, and has no end. */
const addTenants = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { int, key, strict } = (yield* SchemaStatements).types(sql)

  yield* sql`ALTER TABLE verbatim_workspaces ADD COLUMN status ${key} NOT NULL DEFAULT 'Active'`
  yield* sql`ALTER TABLE verbatim_workspaces ADD COLUMN revision ${int} NOT NULL DEFAULT 1`
  yield* sql`ALTER TABLE verbatim_workspaces ADD COLUMN external_id ${key}`
  yield* sql`ALTER TABLE verbatim_workspaces ADD COLUMN status_updated_at ${int}`
  yield* sql`CREATE UNIQUE INDEX verbatim_workspaces_by_external_id ON verbatim_workspaces (external_id)`
  yield* sql`CREATE INDEX verbatim_workspaces_by_status ON verbatim_workspaces (status, id)`

  yield* sql`ALTER TABLE verbatim_api_keys ADD COLUMN name TEXT`
  yield* sql`ALTER TABLE verbatim_api_keys ADD COLUMN holder TEXT`
  yield* sql`ALTER TABLE verbatim_api_keys ADD COLUMN scopes TEXT`
  yield* sql`ALTER TABLE verbatim_api_keys ADD COLUMN expires_at ${int}`
  yield* sql`ALTER TABLE verbatim_api_keys ADD COLUMN last_used_at ${int}`
  yield* sql`CREATE INDEX verbatim_api_keys_by_workspace ON verbatim_api_keys (workspace_id, created_at, id)`

  yield* sql`
    CREATE TABLE verbatim_operator_keys (
      id ${key} NOT NULL PRIMARY KEY,
      hash ${key} NOT NULL UNIQUE,
      hint TEXT NOT NULL,
      name TEXT,
      created_at ${int} NOT NULL,
      expires_at ${int},
      revoked_at ${int},
      last_used_at ${int}
    ) ${strict}`
})

/**
 * Adds columns to tables of a few rows, and a table; then what a database looks through where a
 * preset or a version is removed that these rows refer to.
 */
export const steps: ReadonlyArray<Step> = [
  statements(addTenants),
  index("verbatim_preset_changes_by_preset", (sql) => sql`verbatim_preset_changes (preset_id)`),
  index("verbatim_preset_keys_by_version", (sql) => sql`verbatim_preset_keys (version_id)`)
]
