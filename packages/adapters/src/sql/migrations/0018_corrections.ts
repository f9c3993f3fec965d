/** Transcripts can be corrected: an overlay with versions, beside what was recognised. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Step, statements } from "../migration/Migration.ts"
import { SchemaStatements } from "../migration/SchemaStatements.ts"

/**
 * The head of the corrections refers to the first piece of its transcript, which always is 0. So
 * whoever takes a transcript, or its job, takes them as well, an older program included.
 */
const addCorrections = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { clustered, int, key, strict } = (yield* SchemaStatements).types(sql)

  yield* sql`
    CREATE TABLE verbatim_corrections (
      job_id ${key} NOT NULL PRIMARY KEY,
      ordinal ${int} NOT NULL,
      version ${int} NOT NULL,
      outline TEXT NOT NULL,
      speakers TEXT NOT NULL,
      written_length ${int} NOT NULL,
      FOREIGN KEY (job_id, ordinal) REFERENCES verbatim_transcript_chunks (job_id, ordinal)
        ON DELETE CASCADE
    ) ${strict}`

  yield* sql`
    CREATE TABLE verbatim_corrected_segments (
      job_id ${key} NOT NULL REFERENCES verbatim_corrections (job_id) ON DELETE CASCADE,
      segment ${int} NOT NULL,
      text TEXT,
      speaker TEXT,
      PRIMARY KEY (job_id, segment)
    ) ${clustered}`

  yield* sql`
    CREATE TABLE verbatim_correction_versions (
      job_id ${key} NOT NULL REFERENCES verbatim_corrections (job_id) ON DELETE CASCADE,
      version ${int} NOT NULL,
      id ${key} NOT NULL,
      at ${int} NOT NULL,
      user_id TEXT NOT NULL,
      key_id ${key},
      back_to ${int},
      named TEXT NOT NULL,
      speakers TEXT,
      segment_count ${int} NOT NULL,
      idempotency_key ${key},
      fingerprint TEXT,
      PRIMARY KEY (job_id, version)
    ) ${clustered}`
  yield* sql`CREATE INDEX verbatim_corrections_by_key ON verbatim_correction_versions (job_id, idempotency_key)`

  yield* sql`
    CREATE TABLE verbatim_correction_changes (
      job_id ${key} NOT NULL,
      version ${int} NOT NULL,
      segment ${int} NOT NULL,
      text TEXT,
      speaker TEXT,
      PRIMARY KEY (job_id, version, segment),
      FOREIGN KEY (job_id, version) REFERENCES verbatim_correction_versions (job_id, version)
        ON DELETE CASCADE
    ) ${clustered}`
})

/** Adds the tables. */
export const steps: ReadonlyArray<Step> = [statements(addCorrections)]
