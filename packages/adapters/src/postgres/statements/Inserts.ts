/**
 * Inserts new jobs, with or without idempotency keys. Concurrent inserts share a statement, unless
 * the number of unfinished jobs is limited. In that case, a workspace's inserts run one after
 * another, in separate transactions.
 */
import { isCurrentRecord } from "@verbatim/core/job"
import { type Creation, JobStoreError } from "@verbatim/core/ports"
import type { LimitOwner } from "@verbatim/core/workspace"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import * as IdempotencyRows from "../../sql/job/IdempotencyRows.ts"
import { entryRow, fullError, jobRow, supersededError } from "../../sql/job/JobRows.ts"
import type { Insert } from "../../sql/job/JobStatements.ts"
import * as WorkRows from "../../sql/work/WorkRows.ts"
import {
  type LockWait,
  lockLimit,
  makeBatched,
  makeOrdered,
  sharedWaitMillis,
  writesMax
} from "../gather/Batching.ts"

/**
 * The outcome of an insert: the job was written, its id or key is already taken, or the named owner
 * has reached its limit.
 */
type Outcome = "Written" | "Taken" | LimitOwner

/** A new job in a workspace, or under a key, that has a limit on unfinished jobs. */
interface LimitedJob {
  readonly row: NewRow
  readonly creation: Creation
}

/**
 * Inserts a job in a transaction that holds a lock on the workspace, so that the count is exact
 * across all processes. The jobs are counted in a separate statement, because only a new statement
 * sees what earlier lock holders wrote.
 */
const insertLimited = (
  sql: SqlClient.SqlClient,
  { creation, row }: LimitedJob,
  wait: LockWait
): Effect.Effect<Outcome, SqlError.SqlError> =>
  Effect.gen(function* () {
    yield* sql`SELECT pg_advisory_xact_lock(
      hashtext('verbatim unfinished'), hashtext(${row.workspace_id})) ${lockLimit(sql, wait)}`
    const full = yield* WorkRows.findFull(sql, creation)
    if (full !== undefined) return full
    const [written = Option.none()] = yield* insertAll(sql, [row], wait)
    return Option.getOrElse(written, () => false) ? "Written" : "Taken"
  }).pipe(
    sql.withTransaction,
    Effect.catchIf(isTaken, () => Effect.succeed("Taken" as const))
  )

const hasLimit = ({ unfinishedMax: max }: Creation): boolean =>
  max !== undefined && (max.workspace !== null || max.key !== null)

/**
 * Creates a function that inserts jobs. Jobs without a limit are batched. The reason why a job
 * was not written is read afterwards.
 */
export const makeInsert = (sql: SqlClient.SqlClient): Insert => {
  const insertBatched = makeBatched<NewRow, boolean>(sql, {
    name: "insert",
    sizeMax: writesMax,
    subjects: subjectsOf,
    isWrite: true,
    answerAll: (rows) => insertAll(sql, rows, "shared"),
    answerOne: (row, wait) => insertOne(sql, row, wait)
  })

  const insertOrdered = makeOrdered<LimitedJob, Outcome>(sql, {
    subjects: ({ row }) => [row.workspace_id],
    answerOne: (job, wait) => insertLimited(sql, job, wait)
  })

  const write = (creation: Creation): Effect.Effect<Outcome, SqlError.SqlError> => {
    const row = rowOf(creation)
    return hasLimit(creation)
      ? insertOrdered({ row, creation })
      : Effect.map(insertBatched(row), (isWritten) => (isWritten ? "Written" : "Taken"))
  }

  const known = ({ id }: Creation["job"]) =>
    Effect.map(sql`SELECT id FROM verbatim_jobs WHERE id = ${id}`, (rows) => rows.length > 0)

  return Effect.fnUntraced(function* (creation: Creation) {
    const { idempotency, job } = creation
    const outcome = yield* write(creation)
    if (outcome === "Written") return Option.none()
    if (Option.isSome(idempotency)) {
      const { at, key } = idempotency.value
      const found = yield* IdempotencyRows.find(sql, { key, workspaceId: job.workspaceId })
      const earlier = Option.filter(found, (record) => isCurrentRecord(record, at))
      if (Option.isSome(earlier)) return earlier
    }
    if (yield* known(job)) return yield* supersededError("insert")
    if (outcome !== "Taken") return yield* fullError(outcome)
    // The key was taken, but the key's record has since expired or been deleted.
    return yield* new JobStoreError({ operation: "insert", reason: { _tag: "Contended" } })
  })
}

/**
 * All values written for a new job, keyed by the names in `columns`. Values that are omitted become
 * null.
 */
type NewRow = ReturnType<typeof rowOf>

/** Returns a job's row with its first history entry, its work and its idempotency key. */
const rowOf = ({ idempotency, job, work }: Creation) => {
  const { acceptedAt, id, revision } = job
  const record = Option.getOrUndefined(idempotency)
  return {
    ...jobRow(job),
    ...entryRow(id, { revision, at: acceptedAt, events: [], token: Option.none() }),
    ...Option.match(work, { onNone: () => ({}), onSome: (pending) => WorkRows.row(id, pending) }),
    key: record?.key,
    fingerprint: record?.fingerprint,
    keyed_job: record?.jobId,
    keyed_at: record && DateTime.toEpochMillis(record.at)
  }
}

/** Returns the names of the locks for a new job: its id and its idempotency key. */
const subjectsOf = ({ id, key, workspace_id }: NewRow): ReadonlyArray<string> =>
  key === undefined ? [id] : [id, `${workspace_id} ${key}`]

const columns = `row_index BIGINT, id TEXT, workspace_id TEXT, accepted_at BIGINT, revision BIGINT,
  is_transcription_ended BIGINT, status TEXT, ended_at BIGINT, holding BIGINT, format INTEGER,
  callback_id TEXT, cause TEXT, state TEXT, at BIGINT, events TEXT, kind TEXT,
  key_id TEXT, lane TEXT, lane_hash INTEGER, due_at BIGINT, key TEXT, fingerprint TEXT,
  keyed_job TEXT, keyed_at BIGINT`

/**
 * Selects the jobs that can be written: new jobs without a key, or with a key that is free or
 * expired. The statement waits if an older version of Verbatim, which takes no key locks, is
 * writing the same key. All statements wait in the same order.
 */
const free = (sql: SqlClient.SqlClient): Statement.Fragment => sql`
  known AS MATERIALIZED (SELECT id FROM verbatim_jobs WHERE id = ANY (ARRAY(SELECT id FROM new))),
  claimed AS (
    INSERT INTO verbatim_idempotency_keys (workspace_id, key, fingerprint, job_id, at)
    SELECT workspace_id, key, fingerprint, keyed_job, keyed_at FROM new
    WHERE key IS NOT NULL AND id NOT IN (SELECT id FROM known) ORDER BY workspace_id, key
    ON CONFLICT (workspace_id, key) DO UPDATE
    SET fingerprint = excluded.fingerprint, job_id = excluded.job_id, at = excluded.at
    WHERE ${sql.literal(IdempotencyRows.hasLapsed)}
    RETURNING workspace_id, key),
  free AS MATERIALIZED (
    SELECT * FROM new WHERE id NOT IN (SELECT id FROM known)
      AND (key IS NULL OR (workspace_id, key) IN (SELECT workspace_id, key FROM claimed)))`

/** Locks keys before their rows are written, so that a batched statement can skip locked keys. */
const withKeys = (sql: SqlClient.SqlClient, waiting: KeyWait): Statement.Fragment => {
  const name = sql.literal(`hashtext('verbatim job key'), hashtext(workspace_id || ' ' || key)`)
  return waiting === "shared"
    ? sql`key IS NULL OR pg_try_advisory_xact_lock(${name})`
    : sql`key IS NULL OR pg_advisory_xact_lock(${name}) IS NOT NULL`
}

/**
 * How a statement treats a key that another transaction is writing. A batched statement skips the
 * key; a statement for a single job waits up to a limit, or as long as its session allows.
 */
type KeyWait = "shared" | LockWait

/**
 * Writes the rows that can be written, and returns the indexes of all rows with a key that could be
 * locked.
 */
const writeAll = (sql: SqlClient.SqlClient, rows: ReadonlyArray<NewRow>, waiting: KeyWait) => {
  const placed = JSON.stringify(rows.map((row, index) => ({ ...row, row_index: index })))
  const limit = lockLimit(sql, waiting === "shared" ? sharedWaitMillis : waiting)
  const statement = sql<{ readonly row_index: number; readonly is_written: boolean }>`
    WITH given AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${placed}::json) AS given (${sql.literal(columns)}) ${limit}),
    new AS MATERIALIZED (SELECT * FROM given WHERE ${withKeys(sql, waiting)}),
    ${free(sql)},
    job AS (
      INSERT INTO verbatim_jobs
        (id, workspace_id, accepted_at, revision, is_transcription_ended, status, ended_at,
          holding, format, callback_id, cause, state)
      SELECT id, workspace_id, accepted_at, revision, is_transcription_ended, status, ended_at,
        holding, format, callback_id, cause, state FROM free),
    entry AS (
      INSERT INTO verbatim_job_history (job_id, revision, at, events)
      SELECT id, revision, at, events FROM free),
    pending AS (
      INSERT INTO verbatim_work (job_id, kind, workspace_id, key_id, lane, lane_hash, due_at,
        format)
      SELECT id, kind, workspace_id, key_id, lane, lane_hash, due_at, format
      FROM free WHERE kind IS NOT NULL)
    SELECT row_index, row_index IN (SELECT row_index FROM free) AS is_written FROM new`
  return Effect.map(
    statement,
    (found) => new Map(found.map(({ is_written, row_index }) => [row_index, is_written]))
  )
}

/**
 * Writes jobs, and returns the indexes of the written jobs. A job is not written if it already
 * exists, or if its key belongs to another job. While another transaction is writing the same key,
 * the result for a job is unknown. The whole statement fails if one of the jobs is created in the
 * meantime, or occurs twice in the list.
 */
const insertAll = (
  sql: SqlClient.SqlClient,
  rows: ReadonlyArray<NewRow>,
  waiting: KeyWait
): Effect.Effect<ReadonlyArray<Option.Option<boolean>>, SqlError.SqlError> =>
  Effect.map(writeAll(sql, rows, waiting), (known) =>
    rows.map((_, index) => Option.fromUndefinedOr(known.get(index)))
  )

/** Writes one job, and returns whether it could be written. */
const insertOne = (
  sql: SqlClient.SqlClient,
  row: NewRow,
  wait: LockWait
): Effect.Effect<boolean, SqlError.SqlError> =>
  writeAll(sql, [row], wait).pipe(
    Effect.map((known) => known.get(0) === true),
    Effect.catchIf(isTaken, () => Effect.succeed(false))
  )

/** Whether the insert failed because another transaction inserted the same row in the meantime. */
const isTaken = ({ reason }: SqlError.SqlError): boolean => reason._tag === "UniqueViolation"
