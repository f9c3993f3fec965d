/**
 * Webhooks that are sent again say what they said the first time.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/** Adds the table of bodies, in pieces like transcripts. */
export const migration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { int, key, strict } = (yield* SchemaStatements).types(sql)

  yield* sql`
    CREATE TABLE verbatim_kept_bodies (
      job_id ${key} NOT NULL REFERENCES verbatim_jobs (id) ON DELETE CASCADE,
      ordinal ${int} NOT NULL,
      delivery_id ${key} NOT NULL,
      content_type TEXT NOT NULL,
      content TEXT NOT NULL,
      PRIMARY KEY (job_id, ordinal)
    ) ${strict}`
})
