/**
 * Commits of jobs: what becomes of a job, its history, its work, its transcript, its charge and the
 * body of its webhook.
 */
import type { JobId } from "@verbatim/core/domain/attempt/JobId"
import type { Commit } from "@verbatim/core/ports/JobStore"
import { traced } from "@verbatim/core/services/Traced"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as CommitStatement from "./CommitStatement.ts"
import { gathered } from "./Gathered.ts"
import { failing, superseded, togetherMax } from "./JobFailure.ts"
import { formatOf, jobFormat } from "./JobFormat.ts"
import { encodeTranscript, entryRow, jobColumns } from "./JobRows.ts"
import * as KeptBodies from "./KeptBodies.ts"
import { type Booking, book } from "./Ledger.ts"
import type { Reserved } from "./ReservedSessions.ts"
import { split, together } from "./TranscriptChunks.ts"
import * as WorkRows from "./WorkRows.ts"

const writingChunks = (sql: SqlClient.SqlClient) =>
  Effect.fnUntraced(function* (id: JobId, chunks: ReadonlyArray<string>) {
    yield* sql`DELETE FROM transcript_chunks WHERE job_id = ${id}`
    const rows = chunks.map((content, ordinal) => ({ job_id: id, ordinal, content }))
    for (const some of together(rows)) {
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
    const [written] = yield* sql<{ readonly format: number }>`UPDATE jobs
      SET ${sql.update(jobColumns(next))}, format = MAX(format, ${formatOf(events)})
      WHERE id = ${id} AND revision = ${revision - 1} AND format <= ${jobFormat}
      RETURNING format`
    if (written === undefined) return false
    const isHeld = yield* WorkRows.replace(sql, commit, written.format)
    if (!isHeld) return yield* superseded("commit")
    yield* sql`INSERT INTO job_history ${sql.insert(entryRow(id, { revision, at, events, token }))}`
    if (chunks.length > 0) yield* writeChunks(id, chunks)
    if (Option.isSome(commit.body)) yield* KeptBodies.write(sql, { id, change: commit.body.value })
    const booking = bookingOf(commit)
    if (Option.isSome(booking)) yield* book(sql, booking.value)
    return true
  }, sql.withTransaction)
}

/** Longer rows go alone, in UTF-16 units: a statement with many would take long. */
const lengthTogetherMax = 64 * 1024

type Write = (
  commit: Commit,
  chunks: ReadonlyArray<string>
) => Effect.Effect<boolean, SqlError.SqlError>

/** Where commits are written. */
interface Places {
  /** Shared statements. */
  readonly shared: SqlClient.SqlClient
  /** What may take long. */
  readonly long: SqlClient.SqlClient
}

/** One statement, and a transaction only for a transcript of several pieces or a kept body. */
const commitAtOnce = ({ long, shared }: Places): Write => {
  const writeChunks = writingChunks(long)
  const commitAlone = (row: CommitStatement.CommitRow) => CommitStatement.commitOne(long, row)
  const commitTogether = gathered<CommitStatement.CommitRow, boolean>(shared, {
    sizeMax: togetherMax,
    subjects: ({ job_id }) => [job_id],
    // A shared statement says yes; each no is said by a statement that looked at nothing else.
    answerAll: (rows) =>
      Effect.map(CommitStatement.commitAll(shared, rows), (written) =>
        written.map((isWritten) => (isWritten ? Option.some(true) : Option.none()))
      ),
    answerOne: commitAlone
  })
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
    const { body, next } = commit
    if (chunks.length > 0) yield* writeChunks(next.id, chunks)
    if (Option.isSome(body)) yield* KeptBodies.write(long, { id: next.id, change: body.value })
    const booking = bookingOf(commit)
    if (Option.isSome(booking)) yield* book(long, booking.value)
    return true
  }, long.withTransaction)
  return (commit, chunks) =>
    chunks.length > 1 || Option.isSome(commit.body)
      ? writeInPieces(commit, chunks)
      : Effect.suspend(() => write(CommitStatement.rowOf(commit, chunks[0])))
}

/** Whether an attempt is over with this commit: without it the work would be done again. */
const endsAttempt = ({ isLeaseKept, token }: Commit): boolean =>
  Option.isSome(token) && !isLeaseKept

/** Those that end attempts have sessions of their own, unless they are in a transaction. */
const commitInPlace = (sql: SqlClient.SqlClient, reserved: Reserved | undefined): Write => {
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

/** Writes a commit, in one transaction. */
export const committing = (sql: SqlClient.SqlClient, reserved: Reserved | undefined) => {
  const write = sql.onDialectOrElse({
    pg: () => commitInPlace(sql, reserved),
    orElse: () => commitInSteps(sql)
  })
  return traced("SqlJobStore.commit")(function* (commit: Commit) {
    const { transcript } = commit
    const chunks = Option.isSome(transcript) ? split(encodeTranscript(transcript.value)) : []
    const isWritten = yield* write(commit, chunks)
    if (!isWritten) return yield* superseded("commit")
  }, failing("commit"))
}
