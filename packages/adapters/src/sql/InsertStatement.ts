/**
 * Any number of new jobs in one statement, for a dialect that takes writes inside a query.
 */
import type { Creation } from "@verbatim/core/ports/JobStore"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { entryRow, jobRow } from "./JobRows.ts"
import * as WorkRows from "./WorkRows.ts"

/** All that is written of a new job, by the names of `columns`; what is left out is null. */
export type NewRow = ReturnType<typeof rowOf>

/** The row of a job with its first entry and its work. */
export const rowOf = ({ job, work }: Pick<Creation, "job" | "work">) => {
  const { acceptedAt, id, revision } = job
  return {
    ...jobRow(job),
    ...entryRow(id, { revision, at: acceptedAt, events: [], token: Option.none() }),
    ...Option.match(work, { onNone: () => ({}), onSome: (owed) => WorkRows.row(id, owed) })
  }
}

const columns = `id TEXT, workspace_id TEXT, accepted_at BIGINT, revision BIGINT,
  is_transcription_ended BIGINT, status TEXT, state TEXT, at BIGINT, events TEXT, kind TEXT,
  lane TEXT, lane_hash INTEGER, due_at BIGINT, format INTEGER`

/**
 * Writes jobs, and answers for each whether it is new. The same one twice violates the key of its
 * history: all fails.
 */
export const insertAll = (
  sql: SqlClient.SqlClient,
  rows: ReadonlyArray<NewRow>
): Effect.Effect<ReadonlyArray<boolean>, SqlError.SqlError> => {
  const sorted = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const statement = sql<{ readonly id: string }>`
    WITH job AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${JSON.stringify(sorted)}::json)
        AS job (${sql.literal(columns)})),
    written AS (
      INSERT INTO jobs
        (id, workspace_id, accepted_at, revision, is_transcription_ended, status, state)
      SELECT id, workspace_id, accepted_at, revision, is_transcription_ended, status, state
      FROM job ON CONFLICT (id) DO NOTHING RETURNING id),
    entry AS (
      INSERT INTO job_history (job_id, revision, at, events)
      SELECT id, revision, at, events FROM job WHERE id IN (SELECT id FROM written)),
    owing AS (
      INSERT INTO work (job_id, kind, workspace_id, lane, lane_hash, due_at, format)
      SELECT id, kind, workspace_id, lane, lane_hash, due_at, format FROM job
      WHERE kind IS NOT NULL AND id IN (SELECT id FROM written))
    SELECT id FROM written`
  return Effect.map(statement, (found) => {
    const written = new Set(found.map(({ id }) => id))
    return rows.map(({ id }) => written.has(id))
  })
}
