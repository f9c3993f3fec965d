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
    CREATE TABLE verbatim_webhook_secrets (
      id ${key} NOT NULL PRIMARY KEY,
      workspace_id ${key} NOT NULL REFERENCES verbatim_workspaces (id),
      secret TEXT NOT NULL,
      created_at ${int} NOT NULL
    ) ${strict}`
  yield* sql`
    CREATE INDEX verbatim_webhook_secrets_by_workspace ON verbatim_webhook_secrets (workspace_id, created_at, id)`
})
