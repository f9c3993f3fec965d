/**
 * Commits jobs: state, history, work, transcript, charge and webhook body. Concurrent commits share
 * a statement.
 */
import type { Commit } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { writeParts } from "../../sql/job/CommitParts.ts"
import type { WriteCommit } from "../../sql/job/JobStatements.ts"
import { type Reserved, ReservedSessions } from "../../sql/session/Sessions.ts"
import { type LockWait, makeBatched, writesMax } from "../gather/Batching.ts"
import * as CommitStatement from "./CommitStatement.ts"

/**
 * Maximum UTF-16 units of a row in a batch. Longer rows are sent separately, because several of
 * them would make a statement too slow.
 */
const lengthTogetherMax = 64 * 1024

/** The clients that write commits. */
interface CommitClients {
  /** The client for batched statements. */
  readonly shared: SqlClient.SqlClient
  /** The client for statements that can take long. */
  readonly long: SqlClient.SqlClient
}

/**
 * Commits with one statement. A transaction is used only if there are several chunks, a kept body,
 * or texts to forget.
 */
const commitAtOnce = ({ long, shared }: CommitClients): WriteCommit => {
  const commitAlone = (row: CommitStatement.CommitRow, wait?: LockWait) =>
    CommitStatement.commitOne(long, row, wait)
  const commitTogether = makeBatched<CommitStatement.CommitRow, boolean>(shared, {
    name: "commit",
    sizeMax: writesMax,
    subjects: ({ job_id }) => [job_id],
    isWrite: true,
    // A batched statement only confirms commits. A commit is refused only by a statement of its
    // own.
    answerAll: (rows) =>
      Effect.map(CommitStatement.commitAll(shared, rows), (written) =>
        written.map((isWritten) => (isWritten ? Option.some(true) : Option.none()))
      ),
    answerOne: commitAlone
  })
  const write = (row: CommitStatement.CommitRow) => {
    const texts = [row.state, row.events, row.chunk, row.piece, row.words, row.passages]
    const length = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0)
    return length > lengthTogetherMax ? commitAlone(row) : commitTogether(row)
  }
  const writeInChunks = Effect.fnUntraced(function* (
    commit: Commit,
    chunks: ReadonlyArray<string>
  ) {
    const uncharged = { ...commit, chargeMillis: Option.none() }
    if (!(yield* commitAlone(CommitStatement.rowOf(uncharged, undefined)))) return false
    yield* writeParts(long, commit, chunks)
    return true
  }, long.withTransaction)
  return (commit, chunks) =>
    chunks.length > 1 || Option.isSome(commit.body) || commit.forgotten !== undefined
      ? writeInChunks(commit, chunks)
      : Effect.suspend(() => write(CommitStatement.rowOf(commit, chunks[0])))
}

/**
 * Whether this commit ends an attempt. If such a commit were lost, the work would be done again.
 */
const endsAttempt = ({ isLeaseKept, token }: Commit): boolean =>
  Option.isSome(token) && !isLeaseKept

/**
 * Makes the function that writes commits. Commits that end attempts use sessions of their own,
 * unless they are part of a transaction.
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

/** Makes the method that writes a commit in one transaction. */
export const makeCommit = (sql: SqlClient.SqlClient): Effect.Effect<WriteCommit> =>
  Effect.map(ReservedSessions, (reserved) => commitInPlace(sql, reserved))
