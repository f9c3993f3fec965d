/**
 * Commits jobs: state, history, work, transcript, charge and webhook body. Concurrent commits share
 * a statement: Postgres allows writes inside a query, so that one statement commits any number of
 * jobs. A shared statement takes only one round trip and one wait for the server's disk, and does
 * not lock rows for longer. Each commit is written and answered separately, and is identified by
 * its index, never by a key that two commits could share.
 */
import type { Commit } from "@verbatim/core/ports"
import { toPieceWork } from "@verbatim/core/transcription"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { pieceColumns, writeParts } from "../../sql/job/CommitParts.ts"
import { entryRow, formatOf, jobColumns, jobFormat, peaksColumn } from "../../sql/job/JobRows.ts"
import type { WriteCommit } from "../../sql/job/JobStatements.ts"
import { searchColumns } from "../../sql/job/SearchRows.ts"
import { isLocked } from "../../sql/migration/MigrationError.ts"
import { type Reserved, ReservedSessions } from "../../sql/session/Sessions.ts"
import * as WorkRows from "../../sql/work/WorkRows.ts"
import {
  type LockWait,
  lockLimit,
  makeBatched,
  sharedWaitMillis,
  writesMax
} from "../gather/Batching.ts"

/**
 * Maximum UTF-16 units of a row in a batch. Longer rows are sent separately, because several long
 * rows would make a statement too slow.
 */
const lengthTogetherMax = 64 * 1024

/** The clients that are used to write commits. */
interface CommitClients {
  /** The client for batched statements. */
  readonly shared: SqlClient.SqlClient
  /** The client for statements that can take a long time. */
  readonly long: SqlClient.SqlClient
}

/**
 * Writes commits with one statement. A transaction is used only if there are several chunks, a body
 * to store, or text to remove.
 */
const commitAtOnce = ({ long, shared }: CommitClients): WriteCommit => {
  const commitAlone = (row: CommitRow, wait?: LockWait) => commitOne(long, row, wait)
  const commitTogether = makeBatched<CommitRow, boolean>(shared, {
    name: "commit",
    sizeMax: writesMax,
    subjects: ({ job_id }) => [job_id],
    isWrite: true,
    // A batched statement can confirm a commit but not refuse it. Only a separate statement refuses
    // a commit.
    answerAll: (rows) =>
      Effect.map(commitAll(shared, rows), (written) =>
        written.map((isWritten) => (isWritten ? Option.some(true) : Option.none()))
      ),
    answerOne: commitAlone
  })
  const write = (row: CommitRow) => {
    const texts = [row.state, row.events, row.chunk, row.piece, row.words, row.passages]
    const length = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
    return length > lengthTogetherMax ? commitAlone(row) : commitTogether(row)
  }
  const writeInChunks = Effect.fnUntraced(function* (
    commit: Commit,
    chunks: ReadonlyArray<string>
  ) {
    const uncharged = { ...commit, chargeMillis: Option.none() }
    if (!(yield* commitAlone(rowOf(uncharged, undefined)))) return false
    yield* writeParts(long, commit, chunks)
    return true
  }, long.withTransaction)
  return (commit, chunks) =>
    chunks.length > 1 || Option.isSome(commit.body) || commit.forgotten !== undefined
      ? writeInChunks(commit, chunks)
      : Effect.suspend(() => write(rowOf(commit, chunks[0])))
}

/**
 * Whether this commit ends an attempt. If such a commit were lost, the work would be done again.
 */
const endsAttempt = ({ isLeaseKept, token }: Commit): boolean =>
  Option.isSome(token) && !isLeaseKept

/**
 * Creates a function that writes commits. Outside a transaction, commits that end attempts use
 * separate sessions.
 */
const commitInPlace = (sql: SqlClient.SqlClient, reserved: Reserved | undefined): WriteCommit => {
  const write = commitAtOnce({ shared: sql, long: sql })
  if (reserved === undefined) return write
  const end = commitAtOnce({ shared: reserved.endings, long: reserved.longEndings })
  const transaction = Effect.serviceOption(sql.transactionService)
  return (commit, chunks) =>
    endsAttempt(commit)
      ? Effect.flatMap(transaction, (outer) =>
          Option.isNone(outer) ? end(commit, chunks) : write(commit, chunks)
        )
      : write(commit, chunks)
}

/** Creates the method that writes a commit in one transaction. */
export const makeCommit = (sql: SqlClient.SqlClient): Effect.Effect<WriteCommit> =>
  Effect.map(ReservedSessions, (reserved) => commitInPlace(sql, reserved))

type Sql = SqlClient.SqlClient

/**
 * All values written for a commit, keyed by the names in `columns`. Values that are omitted become
 * null.
 */
type CommitRow = ReturnType<typeof rowOf>

/**
 * Returns the row for a commit. If the transcript consists of one chunk, the row contains the
 * chunk's text.
 */
const rowOf = (commit: Commit, chunk: string | undefined) => {
  const { at, chargeMillis, events, isLeaseKept, next, token, work } = commit
  const { id, revision } = next
  return {
    ...entryRow(id, { revision, at, events, token }),
    ...jobColumns(next),
    ...Option.match(work, { onNone: () => ({}), onSome: (pending) => WorkRows.row(id, pending) }),
    needed_format: formatOf(events),
    is_lease_kept: isLeaseKept,
    chunk,
    ...(chunk === undefined ? {} : { peaks: peaksColumn(commit), ...searchColumns(commit) }),
    ...pieceColumns(commit),
    workspace_id: next.workspaceId,
    key_id: next.keyId,
    charge: Option.getOrUndefined(chargeMillis),
    ...(Option.isSome(chargeMillis) ? toPieceWork(next.transcription) : {})
  }
}

const columns = `row_index BIGINT, job_id TEXT, revision BIGINT, at BIGINT, token TEXT, events TEXT,
  is_transcription_ended BIGINT, status TEXT, ended_at BIGINT, holding BIGINT, state TEXT,
  cause TEXT,
  kind TEXT, lane TEXT,
  lane_hash INTEGER, due_at BIGINT, needed_format INTEGER,
  is_lease_kept BOOLEAN, chunk TEXT, peaks TEXT, words TEXT, passages TEXT,
  piece_ordinal BIGINT, piece_digest TEXT, piece TEXT, workspace_id TEXT, key_id TEXT,
  charge BIGINT, recognised BIGINT, reused BIGINT, "engineMillis" BIGINT`

/**
 * The locks that a statement waits for. `Nobody` skips rows that other transactions have locked.
 * `Balances` also skips such rows, but waits briefly for the workspace's balance, which every
 * charge writes. A statement for a single commit waits for all locks, up to a limit.
 */
type Waiting = "Nobody" | "Balances" | { readonly millis: LockWait }

/**
 * Selects the rows to write: those with a job at the expected revision and a lease that is held.
 * Rows are locked in the parameter's order, each job before its work, and balances last; then the
 * rows' last committed version is read. All other writers lock in the same order, so no two writers
 * deadlock. A commit without a token has no work that another worker could hold.
 */
const withFenced = (sql: Sql, rows: string, waiting: Waiting): Statement.Fragment => {
  const skip = sql.literal(typeof waiting === "object" ? "" : "SKIP LOCKED")
  const ownMillis = typeof waiting === "object" ? waiting.millis : undefined
  const limit = lockLimit(sql, waiting === "Balances" ? sharedWaitMillis : ownMillis)
  return sql`
  change AS MATERIALIZED (
    SELECT * FROM json_to_recordset(${rows}::json) AS change (${sql.literal(columns)}) ${limit}),
  job AS MATERIALIZED (
    SELECT change.*, GREATEST(locked.format, change.needed_format) AS format
    FROM change CROSS JOIN LATERAL (
      SELECT id, format FROM verbatim_jobs WHERE id = change.job_id
        AND revision = change.revision - 1
        AND format <= ${sql.literal(String(jobFormat))}
      FOR NO KEY UPDATE ${skip}) AS locked),
  leased AS MATERIALIZED (
    SELECT job.*, held.lease_until, held.progress FROM job LEFT JOIN LATERAL (
      SELECT lease_until, progress, TRUE AS is_held FROM verbatim_work
      WHERE verbatim_work.job_id = job.job_id AND verbatim_work.token = job.token
        FOR UPDATE ${skip}) AS held ON TRUE
    WHERE job.token IS NULL OR held.is_held),
  ${withSolvent(sql, waiting)}`
}

/**
 * Locks the balances in the order of their ids, and selects the rows that have no charge or a
 * locked balance. For a single row, the order does not matter.
 */
const withSolvent = (sql: Sql, waiting: Waiting): Statement.Fragment => {
  if (typeof waiting === "object") return sql`fenced AS MATERIALIZED (SELECT * FROM leased)`
  const skip = sql.literal(waiting === "Nobody" ? "SKIP LOCKED" : "")
  return sql`
  payer AS MATERIALIZED (
    SELECT DISTINCT workspace_id FROM leased WHERE charge IS NOT NULL ORDER BY workspace_id),
  balance AS MATERIALIZED (
    SELECT workspace_id FROM payer CROSS JOIN LATERAL (
      SELECT id FROM verbatim_workspaces WHERE id = workspace_id FOR NO KEY UPDATE ${skip})
        AS locked),
  fenced AS MATERIALIZED (
    SELECT * FROM leased
    WHERE charge IS NULL OR workspace_id IN (SELECT workspace_id FROM balance))`
}

/** With a short array of ids, Postgres uses an index even if the table has many rows. */
const idsWhere = (sql: Sql, condition: string): Statement.Fragment =>
  sql`ANY (ARRAY(SELECT job_id FROM fenced WHERE ${sql.literal(condition)}))`

/**
 * The commit's position in the feed: the transaction's number, or the position of the job's last
 * commit if that is higher. The last commit may have been made after a host's transaction got its
 * number. If a number is too high for any transaction on this server, it comes from another server
 * and is ignored.
 */
const ordinal = (sql: Sql): Statement.Fragment => sql`GREATEST(pg_current_xact_id()::text::bigint, (
        SELECT last.ordinal FROM verbatim_job_history AS last
        WHERE last.job_id = fenced.job_id AND last.revision = fenced.revision - 1
          AND last.ordinal < pg_snapshot_xmax(pg_current_snapshot())::text::bigint))`

/** Deletes or replaces the pending work. */
const withWork = (sql: Sql): Statement.Fragment => sql`
  done AS (DELETE FROM verbatim_work WHERE job_id = ${idsWhere(sql, "kind IS NULL")}),
  pending AS (
    INSERT INTO verbatim_work (job_id, kind, workspace_id, key_id, lane, lane_hash, due_at, format,
      lease_until, token, progress)
    SELECT job_id, kind, workspace_id, key_id, lane, lane_hash, due_at, format,
      CASE WHEN is_lease_kept THEN lease_until END, CASE WHEN is_lease_kept THEN token END,
      CASE WHEN is_lease_kept THEN progress END
    FROM fenced WHERE kind IS NOT NULL
    ON CONFLICT (job_id) DO UPDATE SET kind = excluded.kind,
      workspace_id = excluded.workspace_id, key_id = excluded.key_id,
      lane = excluded.lane, lane_hash = excluded.lane_hash,
      due_at = excluded.due_at, format = excluded.format, lease_until = excluded.lease_until,
      token = excluded.token, progress = excluded.progress)`

const withTranscript = (sql: Sql): Statement.Fragment => sql`,
  stale AS (
    DELETE FROM verbatim_transcript_chunks
    WHERE job_id = ${idsWhere(sql, "chunk IS NOT NULL")} AND ordinal > 0),
  chunk AS (
    INSERT INTO verbatim_transcript_chunks (job_id, ordinal, content, peaks)
    SELECT job_id, 0, chunk, peaks FROM fenced WHERE chunk IS NOT NULL
    ON CONFLICT (job_id, ordinal) DO UPDATE SET content = excluded.content,
      peaks = excluded.peaks),
  searched AS (
    INSERT INTO verbatim_search_texts (job_id, ordinal, words, passages)
    SELECT job_id, 0, words, passages FROM fenced WHERE chunk IS NOT NULL
    ON CONFLICT (job_id) DO UPDATE SET words = excluded.words, passages = excluded.passages)`

const withPiece = (sql: Sql): Statement.Fragment => sql`,
  piece AS (
    INSERT INTO verbatim_pieces (job_id, ordinal, workspace_id, digest, content)
    SELECT job_id, piece_ordinal, workspace_id, piece_digest, piece
    FROM fenced WHERE piece IS NOT NULL
    ON CONFLICT (job_id, ordinal) DO UPDATE SET digest = excluded.digest,
      content = excluded.content)`

/** Adds the charges to the ledger, unless the ledger already contains them. */
const withCharge = (sql: Sql): Statement.Fragment => sql`,
  booked AS (
    INSERT INTO verbatim_ledger (workspace_id, job_id, key_id, millis, at,
      recognised, reused, engine_millis)
    SELECT verbatim_workspaces.id, job_id, key_id, -charge, at, recognised, reused, "engineMillis"
    FROM fenced JOIN verbatim_workspaces ON verbatim_workspaces.id = workspace_id
      WHERE charge IS NOT NULL
    ON CONFLICT (job_id) DO NOTHING RETURNING workspace_id, millis),
  due AS MATERIALIZED (
    SELECT workspace_id, sum(millis)::bigint AS millis FROM booked GROUP BY workspace_id),
  paid AS (
    UPDATE verbatim_workspaces SET balance_millis = balance_millis + due.millis
    FROM due WHERE verbatim_workspaces.id = due.workspace_id)`

const byJob = (one: CommitRow, other: CommitRow): number => (one.job_id < other.job_id ? -1 : 1)

/** Writes all rows that can be written, and returns their indexes in the order of their jobs. */
const writeAll = (sql: Sql, sorted: ReadonlyArray<CommitRow>, waiting: Waiting) => {
  const nothing = sql``
  const placed = JSON.stringify(sorted.map((row, index) => ({ ...row, row_index: index })))
  const statement = sql<{ readonly row_index: number }>`
    WITH ${withFenced(sql, placed, waiting)},
    written AS (
      UPDATE verbatim_jobs SET revision = fenced.revision, status = fenced.status,
        state = fenced.state,
        is_transcription_ended = fenced.is_transcription_ended, format = fenced.format,
        ended_at = fenced.ended_at, holding = fenced.holding, cause = fenced.cause
      FROM fenced WHERE verbatim_jobs.id = fenced.job_id
        AND verbatim_jobs.id = ${idsWhere(sql, "TRUE")}),
    entry AS (
      INSERT INTO verbatim_job_history (job_id, revision, at, token, events, ordinal)
      SELECT job_id, revision, at, token, events, ${ordinal(sql)} FROM fenced),
    ${withWork(sql)}
    ${sorted.some(({ chunk }) => chunk !== undefined) ? withTranscript(sql) : nothing}
    ${sorted.some(({ piece }) => piece !== undefined) ? withPiece(sql) : nothing}
    ${sorted.some(({ charge }) => charge !== undefined) ? withCharge(sql) : nothing}
    SELECT row_index FROM fenced`
  return Effect.map(statement, (found) => new Set(found.map(({ row_index }) => row_index)))
}

/**
 * Writes the commits that need not wait, and returns the indexes of these commits. For every other
 * commit, the revision is different, the lease is not held, or one of the rows is locked. If the
 * list contains two commits for one job that could both be written, the whole statement fails,
 * because it would write the job's work twice.
 */
const commitAll = (
  sql: Sql,
  rows: ReadonlyArray<CommitRow>
): Effect.Effect<ReadonlyArray<boolean>, SqlError.SqlError> => {
  const sorted = rows.toSorted(byJob)
  return writeAll(sql, sorted, "Balances").pipe(
    Effect.catchIf(isLocked, () => writeAll(sql, sorted, "Nobody")),
    Effect.map((written) => rows.map((row) => written.has(sorted.indexOf(row))))
  )
}

/** Writes a commit. Returns `false` if the job has another revision or the lease is not held. */
const commitOne = (
  sql: Sql,
  row: CommitRow,
  millis?: LockWait
): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.map(writeAll(sql, [row], { millis }), (written) => written.has(0))
