/**
 * The commits of any number of jobs in one statement, for a dialect that takes writes inside a
 * query: one way to the server and one wait for its disk, and rows are locked for as long as that.
 */
import type { Commit } from "@verbatim/core/ports/JobStore"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { entryRow, jobColumns } from "./JobRows.ts"
import * as WorkRows from "./WorkRows.ts"

type Sql = SqlClient.SqlClient

/** All that is written of a commit, by the names of `columns`; what is left out is null. */
export type CommitRow = ReturnType<typeof rowOf>

/** The row of a commit, with its transcript as text when that is one piece. */
export const rowOf = (commit: Commit, chunk: string | undefined) => {
  const { at, chargeMillis, events, isLeaseKept, next, token, work } = commit
  const { id, revision } = next
  return {
    ...entryRow(id, { revision, at, events, token }),
    ...jobColumns(next),
    ...Option.match(work, { onNone: () => ({}), onSome: (owed) => WorkRows.row(id, owed) }),
    is_lease_kept: isLeaseKept,
    chunk,
    workspace_id: next.workspaceId,
    charge: Option.getOrUndefined(chargeMillis)
  }
}

const columns = `job_id TEXT, revision BIGINT, at BIGINT, token TEXT, events TEXT,
  is_transcription_ended BIGINT, status TEXT, state TEXT, kind TEXT, lane TEXT,
  lane_hash INTEGER, due_at BIGINT, format INTEGER,
  is_lease_kept BOOLEAN, chunk TEXT, workspace_id TEXT, charge BIGINT`

/**
 * The rows that are written: those whose job is at the revision and whose lease is held. Both are
 * locked before they are written, in the order of the parameter and each job before its work, and
 * read then as the last commit left them. So does everybody else who waits for one of them, and so
 * no two wait for each other. Without a token there is no work that others could hold.
 */
const fenced = (sql: Sql, rows: string): Statement.Fragment => sql`
  change AS MATERIALIZED (
    SELECT * FROM json_to_recordset(${rows}::json) AS change (${sql.literal(columns)})),
  job AS MATERIALIZED (
    SELECT change.* FROM change CROSS JOIN LATERAL (
      SELECT id FROM jobs WHERE id = change.job_id AND revision = change.revision - 1
      FOR NO KEY UPDATE) AS locked),
  fenced AS MATERIALIZED (
    SELECT job.*, held.lease_until, held.progress FROM job LEFT JOIN LATERAL (
      SELECT lease_until, progress, TRUE AS is_held FROM work
      WHERE work.job_id = job.job_id AND work.token = job.token FOR UPDATE) AS held ON TRUE
    WHERE job.token IS NULL OR held.is_held)`

/** An array of few ids is looked up in an index, however many rows a table has. */
const idsWhere = (sql: Sql, condition: string): Statement.Fragment =>
  sql`ANY (ARRAY(SELECT job_id FROM fenced WHERE ${sql.literal(condition)}))`

/** What becomes of the work. */
const owing = (sql: Sql): Statement.Fragment => sql`
  done AS (DELETE FROM work WHERE job_id = ${idsWhere(sql, "kind IS NULL")}),
  owing AS (
    INSERT INTO work (job_id, kind, workspace_id, lane, lane_hash, due_at, format,
      lease_until, token, progress)
    SELECT job_id, kind, workspace_id, lane, lane_hash, due_at, format,
      CASE WHEN is_lease_kept THEN lease_until END, CASE WHEN is_lease_kept THEN token END,
      CASE WHEN is_lease_kept THEN progress END
    FROM fenced WHERE kind IS NOT NULL
    ON CONFLICT (job_id) DO UPDATE SET kind = excluded.kind,
      workspace_id = excluded.workspace_id, lane = excluded.lane, lane_hash = excluded.lane_hash,
      due_at = excluded.due_at, format = excluded.format, lease_until = excluded.lease_until,
      token = excluded.token, progress = excluded.progress)`

/** The transcripts in place of any before. */
const transcribed = (sql: Sql): Statement.Fragment => sql`,
  stale AS (
    DELETE FROM transcript_chunks
    WHERE job_id = ${idsWhere(sql, "chunk IS NOT NULL")} AND ordinal > 0),
  chunk AS (
    INSERT INTO transcript_chunks (job_id, ordinal, content)
    SELECT job_id, 0, chunk FROM fenced WHERE chunk IS NOT NULL
    ON CONFLICT (job_id, ordinal) DO UPDATE SET content = excluded.content)`

/** The charges that were not booked before. Balances are locked in the order of their ids. */
const charged = (sql: Sql): Statement.Fragment => sql`,
  booked AS (
    INSERT INTO ledger (workspace_id, job_id, millis, at)
    SELECT workspaces.id, job_id, -charge, at
    FROM fenced JOIN workspaces ON workspaces.id = workspace_id WHERE charge IS NOT NULL
    ON CONFLICT (job_id) DO NOTHING RETURNING workspace_id, millis),
  sums AS MATERIALIZED (
    SELECT workspace_id, sum(millis)::bigint AS millis FROM booked
    GROUP BY workspace_id ORDER BY workspace_id),
  due AS MATERIALIZED (
    SELECT sums.* FROM sums CROSS JOIN LATERAL (
      SELECT id FROM workspaces WHERE id = sums.workspace_id FOR NO KEY UPDATE) AS locked),
  paid AS (
    UPDATE workspaces SET balance_millis = balance_millis + due.millis
    FROM due WHERE workspaces.id = due.workspace_id)`

const byJob = (one: CommitRow, other: CommitRow): number => (one.job_id < other.job_id ? -1 : 1)

/**
 * Writes all that can be, and answers for each whether it is: not when the job is at another
 * revision or the lease is not held. Two of the same job would write its work twice: all fails.
 */
export const commitAll = (
  sql: Sql,
  rows: ReadonlyArray<CommitRow>
): Effect.Effect<ReadonlyArray<boolean>, SqlError.SqlError> => {
  const nothing = sql``
  const statement = sql<{ readonly job_id: string }>`
    WITH ${fenced(sql, JSON.stringify(rows.toSorted(byJob)))},
    written AS (
      UPDATE jobs SET revision = fenced.revision, status = fenced.status, state = fenced.state,
        is_transcription_ended = fenced.is_transcription_ended
      FROM fenced WHERE jobs.id = fenced.job_id AND jobs.id = ${idsWhere(sql, "TRUE")}),
    entry AS (
      INSERT INTO job_history (job_id, revision, at, token, events)
      SELECT job_id, revision, at, token, events FROM fenced),
    ${owing(sql)}
    ${rows.some(({ chunk }) => chunk !== undefined) ? transcribed(sql) : nothing}
    ${rows.some(({ charge }) => charge !== undefined) ? charged(sql) : nothing}
    SELECT job_id FROM fenced`
  return Effect.map(statement, (found) => {
    const written = new Set(found.map(({ job_id }) => job_id))
    return rows.map((row) => written.has(row.job_id))
  })
}
