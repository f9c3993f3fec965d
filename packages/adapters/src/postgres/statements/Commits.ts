/**
 * Commits of jobs: what becomes of a job, its history, its work, its transcript, its charge and the
 * body of its webhook. Those that fibers submit at the same time share a statement.
 */
import type { Commit } from "@verbatim/core/ports"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { bookingOf, peaksColumn } from "../../sql/job/JobRows.ts"
import type { WriteCommit } from "../../sql/job/JobStatements.ts"
import * as KeptBodies from "../../sql/job/KeptBodies.ts"
import { forget, writePieces } from "../../sql/job/TranscriptPieces.ts"
import type { Row } from "../../sql/row/Row.ts"
import { type Reserved, ReservedSessions } from "../../sql/session/Sessions.ts"
import { type Book, readMillis, uniqueColumns } from "../../sql/workspace/Ledger.ts"
import { gather, type LockWait, writesMax } from "../gather/Gathered.ts"
import * as CommitStatement from "./CommitStatement.ts"

/** Books, unless it was booked before; then nothing is added. */
export const book: Book = Effect.fnUntraced(function* (
  sql,
  { at, column, id, keyId, millis, workspaceId }
) {
  const [row] = yield* sql<Row>`
    WITH booked AS (
      INSERT INTO verbatim_ledger (workspace_id, ${sql(column)}, key_id, millis, at)
      SELECT id, ${id}, ${keyId}, ${millis}, ${DateTime.toEpochMillis(at)}
      FROM verbatim_workspaces WHERE id = ${workspaceId}
      ON CONFLICT (${sql.literal(uniqueColumns[column])}) DO NOTHING RETURNING millis)
    UPDATE verbatim_workspaces
    SET balance_millis = balance_millis + COALESCE((SELECT millis FROM booked), 0)
    WHERE id = ${workspaceId}
    RETURNING balance_millis`
  if (row === undefined) return Option.none()
  return Option.some(yield* readMillis(row.balance_millis, `balance of ${workspaceId}`))
})

/** Longer rows, in UTF-16 units, go alone: a statement with many of them would take long. */
const lengthTogetherMax = 64 * 1024

/** Where commits are written. */
interface Places {
  /** Shared statements. */
  readonly shared: SqlClient.SqlClient
  /** Statements that may take long. */
  readonly long: SqlClient.SqlClient
}

/** One statement, and a transaction only for several pieces, a kept body, or what is forgotten. */
const commitAtOnce = ({ long, shared }: Places): WriteCommit => {
  const commitAlone = (row: CommitStatement.CommitRow, wait?: LockWait) =>
    CommitStatement.commitOne(long, row, wait)
  const commitTogether = gather<CommitStatement.CommitRow, boolean>(shared, {
    name: "commit",
    sizeMax: writesMax,
    subjects: ({ job_id }) => [job_id],
    locks: () => [],
    // A shared statement only says yes; a no always comes from a statement of its own.
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
    const { body, forgotten, next } = commit
    if (chunks.length > 0) {
      yield* writePieces(long, { id: next.id, pieces: chunks, peaks: peaksColumn(commit) })
    }
    if (Option.isSome(body)) yield* KeptBodies.write(long, { id: next.id, change: body.value })
    if (forgotten !== undefined) yield* forget(long, { id: next.id, forgotten })
    const booking = bookingOf(commit)
    if (Option.isSome(booking)) yield* book(long, booking.value)
    return true
  }, long.withTransaction)
  return (commit, chunks) =>
    chunks.length > 1 || Option.isSome(commit.body) || commit.forgotten !== undefined
      ? writeInPieces(commit, chunks)
      : Effect.suspend(() => write(CommitStatement.rowOf(commit, chunks[0])))
}

/** Whether an attempt is over with this commit: without it the work would be done again. */
const endsAttempt = ({ isLeaseKept, token }: Commit): boolean =>
  Option.isSome(token) && !isLeaseKept

/** Commits that end attempts have sessions of their own, unless they are in a transaction. */
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

/** Writes a commit, in one transaction. */
export const makeCommit = (sql: SqlClient.SqlClient): Effect.Effect<WriteCommit> =>
  Effect.map(ReservedSessions, (reserved) => commitInPlace(sql, reserved))
