/**
 * Jobs in SQL: a job, its history, its transcript and the work it owes, written by one transaction.
 */

import type { IdempotencyKey, IdempotencyRecord } from "@verbatim/core/job/Idempotency"
import type { JobId } from "@verbatim/core/job/JobId"
import type { JobQuery } from "@verbatim/core/job/JobListing"
import { type Commit, type Creation, JobStore, JobStoreError } from "@verbatim/core/ports/JobStore"
import { traced } from "@verbatim/core/trace/Traced"
import type { WorkspaceId } from "@verbatim/core/workspace/Workspace"
import { Array as Arr, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as CommitStatement from "./CommitStatement.ts"
import * as Dialect from "./Dialect.ts"
import { gathered } from "./Gathered.ts"
import { rowsWith } from "./GatheredRows.ts"
import * as IdempotencyRows from "./IdempotencyRows.ts"
import * as InsertStatement from "./InsertStatement.ts"
import {
  encodeTranscript,
  entryRow,
  jobColumns,
  jobRow,
  readEntry,
  readJob,
  readTranscript
} from "./JobRows.ts"
import { type Booking, book } from "./Ledger.ts"
import type { Row } from "./Row.ts"
import { storeMillis } from "./StoreTime.ts"
import { split } from "./TranscriptChunks.ts"
import { readingParts } from "./TranscriptReads.ts"
import * as WorkRows from "./WorkRows.ts"

const reasons = JobStoreError.fields.reason.cases

const superseded = (operation: string) =>
  new JobStoreError({ operation, reason: reasons.Superseded.make({}) })

const failing = (operation: string) =>
  Effect.mapError((cause: SqlError.SqlError | JobStoreError) =>
    cause._tag === "SqlError"
      ? new JobStoreError({ operation, reason: reasons.Unavailable.make({ cause }) })
      : cause
  )

/** Writes in one statement: what is accepted or ends in a process at the same time. */
const togetherMax = 32

/** Writes the rows of a new job one after the other; `false` when there is one with that id. */
const insertInSteps = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* ({ job, work }: Creation) {
    const { id, revision } = job
    const created = yield* sql`INSERT INTO jobs ${sql.insert(jobRow(job))}
      ON CONFLICT (id) DO NOTHING RETURNING id`
    if (created.length === 0) return false
    const first = { revision, at: job.acceptedAt, events: [], token: Option.none() }
    yield* sql`INSERT INTO job_history ${sql.insert(entryRow(id, first))}`
    if (Option.isSome(work)) yield* WorkRows.insert(sql, { jobId: id, work: work.value })
    return true
  }, sql.withTransaction)

const inserting = (sql: SqlClient.SqlClient) => {
  const insert = sql.onDialectOrElse({
    pg: () => {
      const insertTogether = gathered<InsertStatement.NewRow, boolean>(sql, {
        sizeMax: togetherMax,
        mayBeRefused: true,
        answer: (rows) => InsertStatement.insertAll(sql, rows)
      })
      return (creation: Creation) =>
        Effect.suspend(() => insertTogether(InsertStatement.rowOf(creation)))
    },
    orElse: () => insertInSteps(sql)
  })

  const insertNew = Effect.fnUntraced(function* (creation: Creation) {
    if (!(yield* insert(creation))) return yield* superseded("insert")
  })

  const insertUnder = Effect.fnUntraced(function* (record: IdempotencyRecord, creation: Creation) {
    const { workspaceId } = creation.job
    const earlier = yield* IdempotencyRows.claim(sql, { workspaceId, record })
    if (Option.isNone(earlier)) yield* insertNew(creation)
    return earlier
  }, sql.withTransaction)

  return traced("SqlJobStore.insert")(function* (creation: Creation) {
    if (Option.isNone(creation.idempotency)) {
      yield* insertNew(creation)
      return Option.none()
    }
    const record = creation.idempotency.value
    const earlier = yield* insertUnder(record, creation)
    if (Option.isNone(earlier)) yield* Effect.ignore(IdempotencyRows.sweep(sql, record))
    return earlier
  }, failing("insert"))
}

/** Chunks in one statement: 3 MiB at most, of the 16 that a message may hold. */
const chunksTogetherMax = 16

const writingChunks = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (id: JobId, chunks: ReadonlyArray<string>) {
    yield* sql`DELETE FROM transcript_chunks WHERE job_id = ${id}`
    const rows = chunks.map((content, ordinal) => ({ job_id: id, ordinal, content }))
    for (const some of Arr.chunksOf(rows, chunksTogetherMax)) {
      yield* sql`INSERT INTO transcript_chunks ${sql.insert(some)}`
    }
  })

/** The charge of a commit, as the ledger books it. */
const bookingOf = ({ at, chargeMillis, next }: Commit): Option.Option<Booking> =>
  Option.map(chargeMillis, (millis) => ({
    workspaceId: next.workspaceId,
    column: "job_id",
    id: next.id,
    millis: -millis,
    at
  }))

/** Writes everything one after the other; `false` when the revision or the lease is another. */
const commitInSteps = (sql: SqlClient.SqlClient) => {
  const writeChunks = writingChunks(sql)
  return Effect.fnUntraced(function* (commit: Commit, chunks: ReadonlyArray<string>) {
    const { at, events, next, token } = commit
    const { id, revision } = next
    // The job first, always: two writers that take their rows in two orders may block each other.
    const written = yield* sql`UPDATE jobs SET ${sql.update(jobColumns(next))}
      WHERE id = ${id} AND revision = ${revision - 1} RETURNING id`
    if (written.length === 0) return false
    const isHeld = yield* WorkRows.replace(sql, commit)
    if (!isHeld) return yield* superseded("commit")
    yield* sql`INSERT INTO job_history ${sql.insert(entryRow(id, { revision, at, events, token }))}`
    if (chunks.length > 0) yield* writeChunks(id, chunks)
    const booking = bookingOf(commit)
    if (Option.isSome(booking)) yield* book(sql, booking.value)
    return true
  }, sql.withTransaction)
}

/** Transcripts read by one statement: of ten hours each, they are 100 MB. */
const transcriptsMax = 8

/** Longer rows go alone, in UTF-16 units: a statement with many would take long. */
const lengthTogetherMax = 64 * 1024

/** One statement, and a transaction only for a transcript of several pieces. */
const commitAtOnce = (sql: SqlClient.SqlClient) => {
  const writeChunks = writingChunks(sql)
  const commitTogether = gathered<CommitStatement.CommitRow, boolean>(sql, {
    sizeMax: togetherMax,
    mayBeRefused: true,
    answer: (rows) => CommitStatement.commitAll(sql, rows)
  })
  const commitAlone = (row: CommitStatement.CommitRow) =>
    Effect.map(CommitStatement.commitAll(sql, [row]), ([isWritten]) => isWritten === true)
  const write = (row: CommitStatement.CommitRow) => {
    const length = row.state.length + row.events.length + (row.chunk?.length ?? 0)
    return length > lengthTogetherMax ? commitAlone(row) : commitTogether(row)
  }
  // The balance last: others wait for it while the pieces are on their way.
  const writeInPieces = Effect.fnUntraced(function* (
    commit: Commit,
    chunks: ReadonlyArray<string>
  ) {
    const uncharged = { ...commit, chargeMillis: Option.none() }
    if (!(yield* commitAlone(CommitStatement.rowOf(uncharged, undefined)))) return false
    yield* writeChunks(commit.next.id, chunks)
    const booking = bookingOf(commit)
    if (Option.isSome(booking)) yield* book(sql, booking.value)
    return true
  }, sql.withTransaction)
  return (commit: Commit, chunks: ReadonlyArray<string>) =>
    chunks.length > 1
      ? writeInPieces(commit, chunks)
      : Effect.suspend(() => write(CommitStatement.rowOf(commit, chunks[0])))
}

const committing = (sql: SqlClient.SqlClient) => {
  const write = sql.onDialectOrElse({
    pg: () => commitAtOnce(sql),
    orElse: () => commitInSteps(sql)
  })
  return traced("SqlJobStore.commit")(function* (commit: Commit) {
    const { transcript } = commit
    const chunks = Option.isSome(transcript) ? split(encodeTranscript(transcript.value)) : []
    const isWritten = yield* write(commit, chunks)
    if (!isWritten) return yield* superseded("commit")
  }, failing("commit"))
}

const listing = (sql: SqlClient.SqlClient) =>
  traced("SqlJobStore.list")(function* ({ after, limit, status, workspaceId }: JobQuery) {
    const narrowed = sql.and([
      sql`workspace_id = ${workspaceId}`,
      ...(Option.isSome(status) ? [sql`status = ${status.value}`] : []),
      ...(Option.isSome(after) ? [sql`id < ${after.value}`] : [])
    ])
    const rows = yield* sql<Row>`SELECT id, state FROM jobs
        WHERE ${narrowed} ORDER BY id DESC LIMIT ${limit}`
    return yield* Effect.forEach(rows, ({ id, state }) => readJob(state, `jobs ${id}`))
  }, failing("list"))

const removing = (sql: SqlClient.SqlClient) =>
  traced("SqlJobStore.remove")(
    // What belongs to a job goes with its row: the tables say so.
    function* (workspaceId: WorkspaceId, id: JobId) {
      const [row] = yield* sql<Row>`DELETE FROM jobs
        WHERE id = ${id} AND workspace_id = ${workspaceId} RETURNING state`
      return row === undefined
        ? Option.none()
        : Option.some(yield* readJob(row.state, `jobs ${id}`))
    },
    failing("remove")
  )

/** The store over any `SqlClient` whose database is migrated. */
export const layer: Layer.Layer<JobStore, never, SqlClient.SqlClient> = Layer.effect(JobStore)(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const idempotency = traced("SqlJobStore.idempotency")(
      (workspaceId: WorkspaceId, key: IdempotencyKey) =>
        failing("idempotency")(IdempotencyRows.find(sql, { workspaceId, key }))
    )

    const find = traced("SqlJobStore.find")(function* (workspaceId: WorkspaceId, id: JobId) {
      const [row] = yield* sql<Row>`SELECT state FROM jobs
        WHERE id = ${id} AND workspace_id = ${workspaceId}`.pipe(failing("find"))
      return row === undefined
        ? Option.none()
        : Option.some(yield* readJob(row.state, `jobs ${id}`))
    })

    const progress = traced("SqlJobStore.progress")(function* (id: JobId) {
      const [row] = yield* sql<{ readonly progress: number | null }>`
        SELECT progress FROM work WHERE job_id = ${id}`.pipe(failing("progress"))
      return Option.map(Option.fromNullishOr(row?.progress), (thousandths) => thousandths / 1_000)
    })

    const transcriptRows = rowsWith(sql, {
      column: "job_id",
      field: "job_id",
      sizeMax: transcriptsMax,
      select: (isOne) => sql<Row>`SELECT job_id, content FROM transcript_chunks
        WHERE ${isOne} ORDER BY job_id, ordinal`
    })

    const transcript = traced("SqlJobStore.transcript")(function* (id: JobId) {
      const rows = yield* transcriptRows(id).pipe(failing("transcript"))
      if (rows.length === 0) return Option.none()
      const text = rows.map(({ content }) => content).join("")
      return Option.some(yield* readTranscript(text, `transcript_chunks ${id}`))
    })

    const transcriptPart = traced("SqlJobStore.transcriptPart")(
      readingParts(sql),
      failing("transcriptPart")
    )

    const history = traced("SqlJobStore.history")(function* (id: JobId) {
      const rows = yield* sql<Row>`SELECT revision, at, token, events FROM job_history
        WHERE job_id = ${id} ORDER BY revision`.pipe(failing("history"))
      return yield* Effect.forEach(rows, (row) =>
        readEntry(row, `job_history ${id} ${row.revision}`)
      )
    })

    const unfinished = traced("SqlJobStore.unfinished")(function* (ids: ReadonlyArray<JobId>) {
      const rows = yield* sql<Row>`SELECT id FROM jobs
        WHERE ${Dialect.isAmong(sql, "id", ids)} AND is_transcription_ended = 0`.pipe(
        failing("unfinished")
      )
      const found = new Set(rows.map(({ id }) => id))
      return new Set(ids.filter((id) => found.has(id)))
    })

    return JobStore.of({
      now: Effect.map(storeMillis(sql), DateTime.makeUnsafe).pipe(failing("now")),
      insert: inserting(sql),
      idempotency,
      find,
      list: listing(sql),
      remove: removing(sql),
      commit: committing(sql),
      progress,
      transcript,
      transcriptPart,
      history,
      unfinished
    })
  })
)
