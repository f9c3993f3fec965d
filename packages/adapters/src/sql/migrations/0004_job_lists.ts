/**
 * Jobs are listed by status, and remember the keys under which they may be asked for again.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/** Adds what was missing. Old jobs appear in lists of one status after their next commit. */
export const migration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { clustered, int, key } = (yield* SchemaStatements).types(sql)

  yield* sql`ALTER TABLE verbatim_jobs ADD COLUMN status ${key} NOT NULL DEFAULT ''`
  yield* sql`CREATE INDEX verbatim_jobs_by_workspace ON verbatim_jobs (workspace_id, id)`
  yield* sql`CREATE INDEX verbatim_jobs_by_status ON verbatim_jobs (workspace_id, status, id)`

  // A record outlives its job, so that a late repeat makes no second one: hence no reference.
  yield* sql`
    CREATE TABLE verbatim_idempotency_keys (
      workspace_id ${key} NOT NULL,
      key ${key} NOT NULL,
      fingerprint TEXT NOT NULL,
      job_id ${key} NOT NULL,
      at ${int} NOT NULL,
      PRIMARY KEY (workspace_id, key)
    ) ${clustered}`
  yield* sql`CREATE INDEX verbatim_idempotency_keys_by_age ON verbatim_idempotency_keys (at)`
})
