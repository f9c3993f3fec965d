/** Any number of new jobs in one statement: Postgres allows writes inside a query. */
import type { Creation } from "@verbatim/core/ports"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { hasLapsed } from "../../sql/job/IdempotencyRows.ts"
import { entryRow, jobRow } from "../../sql/job/JobRows.ts"
import * as WorkRows from "../../sql/work/WorkRows.ts"
import { type LockWait, lockLimit, sharedWaitMillis } from "../gather/Gathered.ts"

/** All that is written of a new job, by the names of `columns`; what is left out is null. */
export type NewRow = ReturnType<typeof rowOf>

/** The row of a job with its first entry, its work and its idempotency key. */
export const rowOf = ({ idempotency, job, work }: Creation) => {
  const { acceptedAt, id, revision } = job
  const record = Option.getOrUndefined(idempotency)
  return {
    ...jobRow(job),
    ...entryRow(id, { revision, at: acceptedAt, events: [], token: Option.none() }),
    ...Option.match(work, { onNone: () => ({}), onSome: (owed) => WorkRows.row(id, owed) }),
    key: record?.key,
    fingerprint: record?.fingerprint,
    keyed_job: record?.jobId,
    keyed_at: record && DateTime.toEpochMillis(record.at)
  }
}

/** What a new job takes: its id, and its idempotency key. */
export const subjectsOf = ({ id, key, workspace_id }: NewRow): ReadonlyArray<string> =>
  key === undefined ? [id] : [id, `${workspace_id} ${key}`]

const columns = `place BIGINT, id TEXT, workspace_id TEXT, accepted_at BIGINT, revision BIGINT,
  is_transcription_ended BIGINT, status TEXT, ended_at BIGINT, holding BIGINT, format INTEGER,
  callback_id TEXT, state TEXT, at BIGINT, events TEXT, kind TEXT,
  key_id TEXT, lane TEXT, lane_hash INTEGER, due_at BIGINT, key TEXT, fingerprint TEXT,
  keyed_job TEXT, keyed_at BIGINT`

/**
 * The jobs that may be written: new ones, under a key that is free or lapsed, or without one. If
 * an older version, which takes no locks of keys, is writing that key, the statement waits; all do
 * so in one order.
 */
const free = (sql: SqlClient.SqlClient): Statement.Fragment => sql`
  known AS MATERIALIZED (SELECT id FROM verbatim_jobs WHERE id = ANY (ARRAY(SELECT id FROM new))),
  claimed AS (
    INSERT INTO verbatim_idempotency_keys (workspace_id, key, fingerprint, job_id, at)
    SELECT workspace_id, key, fingerprint, keyed_job, keyed_at FROM new
    WHERE key IS NOT NULL AND id NOT IN (SELECT id FROM known) ORDER BY workspace_id, key
    ON CONFLICT (workspace_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, job_id = excluded.job_id, at = excluded.at
    WHERE ${sql.literal(hasLapsed)}
    RETURNING workspace_id, key),
  free AS MATERIALIZED (
    SELECT * FROM new WHERE id NOT IN (SELECT id FROM known)
      AND (key IS NULL OR (workspace_id, key) IN (SELECT workspace_id, key FROM claimed)))`

/** Keys that are locked before their rows are written, so that a shared statement can pass them. */
const withKeys = (sql: SqlClient.SqlClient, waiting: KeyWait): Statement.Fragment => {
  const name = sql.literal(`hashtext('verbatim job key'), hashtext(workspace_id || ' ' || key)`)
  return waiting === "shared"
    ? sql`key IS NULL OR pg_try_advisory_xact_lock(${name})`
    : sql`key IS NULL OR pg_advisory_xact_lock(${name}) IS NOT NULL`
}

/**
 * How a statement waits for keys that others are writing. A shared one leaves them out; one for a
 * single job waits for so long, or as long as its session may.
 */
export type KeyWait = "shared" | LockWait

/** Writes those that may be written, and returns the places of all whose keys could be locked. */
const write = (sql: SqlClient.SqlClient, rows: ReadonlyArray<NewRow>, waiting: KeyWait) => {
  const placed = JSON.stringify(rows.map((row, place) => ({ ...row, place })))
  const limit = lockLimit(sql, waiting === "shared" ? sharedWaitMillis : waiting)
  const statement = sql<{ readonly place: number; readonly is_written: boolean }>`
    WITH given AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${placed}::json) AS given (${sql.literal(columns)}) ${limit}),
    new AS MATERIALIZED (SELECT * FROM given WHERE ${withKeys(sql, waiting)}),
    ${free(sql)},
    job AS (
      INSERT INTO verbatim_jobs
        (id, workspace_id, accepted_at, revision, is_transcription_ended, status, ended_at,
          holding, format, callback_id, state)
      SELECT id, workspace_id, accepted_at, revision, is_transcription_ended, status, ended_at,
        holding, format, callback_id, state FROM free),
    entry AS (
      INSERT INTO verbatim_job_history (job_id, revision, at, events)
      SELECT id, revision, at, events FROM free),
    owing AS (
      INSERT INTO verbatim_work (job_id, kind, workspace_id, key_id, lane, lane_hash, due_at,
        format)
      SELECT id, kind, workspace_id, key_id, lane, lane_hash, due_at, format
      FROM free WHERE kind IS NOT NULL)
    SELECT place, place IN (SELECT place FROM free) AS is_written FROM new`
  return Effect.map(
    statement,
    (found) => new Map(found.map(({ is_written, place }) => [place, is_written]))
  )
}

/**
 * Writes jobs, and says which: not those that exist, nor those whose key stands for another job.
 * Nothing is known of those whose key another transaction is writing. Everything fails when one
 * of them appears meanwhile, or is among them twice.
 */
export const insertAll = (
  sql: SqlClient.SqlClient,
  rows: ReadonlyArray<NewRow>,
  waiting: KeyWait
): Effect.Effect<ReadonlyArray<Option.Option<boolean>>, SqlError.SqlError> =>
  Effect.map(write(sql, rows, waiting), (known) =>
    rows.map((_, place) => Option.fromUndefinedOr(known.get(place)))
  )

/** Writes a job, and says whether that was possible. */
export const insertOne = (
  sql: SqlClient.SqlClient,
  row: NewRow,
  wait: LockWait
): Effect.Effect<boolean, SqlError.SqlError> =>
  write(sql, [row], wait).pipe(
    Effect.map((known) => known.get(0) === true),
    Effect.catchIf(isTaken, () => Effect.succeed(false))
  )

/** Somebody else inserted it in between. */
export const isTaken = ({ reason }: SqlError.SqlError): boolean => reason._tag === "UniqueViolation"
