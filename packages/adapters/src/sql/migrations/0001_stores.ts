/**
 * The tables of the four stores. Instants are whole milliseconds. Values that are read as a whole
 * are JSON in a text column, so that every database keeps them as written.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

const workspaces = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const { int, key, sequence, strict } = (yield* SchemaStatements).types(sql)

  yield* sql`
    CREATE TABLE verbatim_workspaces (
      id ${key} NOT NULL PRIMARY KEY,
      name TEXT NOT NULL,
      first_user_id TEXT NOT NULL,
      created_at ${int} NOT NULL,
      balance_millis ${int} NOT NULL
    ) ${strict}`

  yield* sql`
    CREATE TABLE verbatim_api_keys (
      id ${key} NOT NULL PRIMARY KEY,
      workspace_id ${key} NOT NULL REFERENCES verbatim_workspaces (id),
      user_id TEXT NOT NULL,
      kind ${key} NOT NULL,
      hash ${key} NOT NULL UNIQUE,
      hint TEXT NOT NULL,
      created_at ${int} NOT NULL,
      revoked_at ${int}
    ) ${strict}`

  // A credit counts once for each credit_id, a charge once for each job_id. Jobs are deleted but
  // their charges stay: hence no reference.
  yield* sql`
    CREATE TABLE verbatim_ledger (
      entry ${sequence},
      workspace_id ${key} NOT NULL REFERENCES verbatim_workspaces (id),
      credit_id ${key} UNIQUE,
      job_id ${key} UNIQUE,
      millis ${int} NOT NULL,
      at ${int} NOT NULL,
      CHECK ((credit_id IS NULL) <> (job_id IS NULL))
    ) ${strict}`
  yield* sql`CREATE INDEX verbatim_ledger_by_workspace ON verbatim_ledger (workspace_id, entry)`
})

const presets = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const { int, key, strict } = (yield* SchemaStatements).types(sql)

  yield* sql`
    CREATE TABLE verbatim_presets (
      id ${key} NOT NULL PRIMARY KEY,
      workspace_id ${key} NOT NULL REFERENCES verbatim_workspaces (id),
      slug ${key} NOT NULL,
      name TEXT NOT NULL,
      description TEXT,
      creator_user_id TEXT NOT NULL,
      status TEXT NOT NULL,
      latest_version ${int} NOT NULL,
      designated_version ${int} NOT NULL,
      designated_version_id ${key} NOT NULL,
      status_updated_at ${int},
      created_at ${int} NOT NULL,
      updated_at ${int} NOT NULL,
      UNIQUE (workspace_id, slug)
    ) ${strict}`

  yield* sql`
    CREATE TABLE verbatim_preset_versions (
      id ${key} NOT NULL PRIMARY KEY,
      preset_id ${key} NOT NULL REFERENCES verbatim_presets (id),
      version ${int} NOT NULL,
      creator_id TEXT NOT NULL,
      system_prompt TEXT,
      config TEXT NOT NULL,
      created_at ${int} NOT NULL,
      updated_at ${int} NOT NULL,
      UNIQUE (preset_id, version)
    ) ${strict}`
})

const jobs = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const { dueColumns, types } = yield* SchemaStatements
  const { clustered, int, key, queue, strict } = types(sql)

  // The state is the whole job; the other columns repeat the parts that statements search.
  yield* sql`
    CREATE TABLE verbatim_jobs (
      id ${key} NOT NULL PRIMARY KEY,
      workspace_id ${key} NOT NULL,
      revision ${int} NOT NULL,
      accepted_at ${int} NOT NULL,
      is_transcription_ended ${int} NOT NULL,
      state TEXT NOT NULL
    ) ${strict}`

  yield* sql`
    CREATE TABLE verbatim_job_history (
      job_id ${key} NOT NULL REFERENCES verbatim_jobs (id) ON DELETE CASCADE,
      revision ${int} NOT NULL,
      at ${int} NOT NULL,
      token TEXT,
      events TEXT NOT NULL,
      PRIMARY KEY (job_id, revision)
    ) ${clustered}`

  yield* sql`
    CREATE TABLE verbatim_transcript_chunks (
      job_id ${key} NOT NULL REFERENCES verbatim_jobs (id) ON DELETE CASCADE,
      ordinal ${int} NOT NULL,
      content TEXT NOT NULL,
      PRIMARY KEY (job_id, ordinal)
    ) ${strict}`

  // Live jobs only: a million finished ones cost the queue nothing.
  yield* sql`
    CREATE TABLE verbatim_work (
      job_id ${key} NOT NULL PRIMARY KEY REFERENCES verbatim_jobs (id) ON DELETE CASCADE,
      kind ${key} NOT NULL,
      lane ${key} NOT NULL,
      due_at ${int} NOT NULL,
      lease_until ${int},
      token TEXT
    ) ${queue}`
  yield* sql`CREATE INDEX verbatim_work_by_due ON verbatim_work (${sql.literal(dueColumns)})`
})

/** Creates the tables and their indexes. */
export const migration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* workspaces(sql)
  yield* presets(sql)
  yield* jobs(sql)
})
