/**
 * Workspaces may have secrets to sign their webhooks with.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/** Adds the table. Secrets are stored in the clear: a signature cannot be made from a hash. */
export const migration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { int, key, strict } = (yield* SchemaStatements).types(sql)

  yield* sql`
    CREATE TABLE webhook_secrets (
      id ${key} NOT NULL PRIMARY KEY,
      workspace_id ${key} NOT NULL REFERENCES workspaces (id),
      secret TEXT NOT NULL,
      created_at ${int} NOT NULL
    ) ${strict}`
  yield* sql`
    CREATE INDEX webhook_secrets_by_workspace ON webhook_secrets (workspace_id, created_at, id)`
})
