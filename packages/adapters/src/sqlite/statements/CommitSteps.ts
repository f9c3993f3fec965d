/**
 * Commits jobs: state, history, work, transcript, charge and webhook body are written one after
 * another in one transaction.
 */
import type { Commit } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { supersededError } from "../../sql/job/JobFailure.ts"
import {
  entryRow,
  formatOf,
  jobColumns,
  jobFormat,
  peaksColumn,
  toLedgerEntry
} from "../../sql/job/JobRows.ts"
import type { WriteCommit } from "../../sql/job/JobStatements.ts"
import * as KeptBodies from "../../sql/job/KeptBodies.ts"
import * as PieceRows from "../../sql/job/PieceRows.ts"
import * as SearchRows from "../../sql/job/SearchRows.ts"
import { forget, writeChunks } from "../../sql/job/TranscriptChunks.ts"
import * as WorkRows from "../../sql/work/WorkRows.ts"
import { appendEntry } from "./FeedSteps.ts"
import { addEntry } from "./LedgerSteps.ts"

/**
 * Writes a commit statement by statement. Returns `false` if the revision or the lease has changed.
 */
const commitInSteps = (sql: SqlClient.SqlClient): WriteCommit =>
  Effect.fnUntraced(function* (commit: Commit, chunks: ReadonlyArray<string>) {
    const { at, events, next, token } = commit
    const { id, revision } = next
    // The job is always written first, because writers that lock rows in different orders can block
    // each other.
    const [written] = yield* sql<{ readonly format: number }>`UPDATE verbatim_jobs
      SET ${sql.update(jobColumns(next))}, format = MAX(format, ${formatOf(events)})
      WHERE id = ${id} AND revision = ${revision - 1} AND format <= ${jobFormat}
      RETURNING format`
    if (written === undefined) return false
    const isHeld = yield* WorkRows.replace(sql, commit, written.format)
    if (!isHeld) return yield* supersededError("commit")
    yield* appendEntry(sql, entryRow(id, { revision, at, events, token }))
    yield* PieceRows.write(sql, commit)
    if (chunks.length > 0) {
      yield* writeChunks(sql, { id, chunks, peaks: peaksColumn(commit) })
      yield* SearchRows.write(sql, commit)
    }
    if (Option.isSome(commit.body)) yield* KeptBodies.write(sql, { id, change: commit.body.value })
    if (commit.forgotten !== undefined) yield* forget(sql, { id, forgotten: commit.forgotten })
    const entry = toLedgerEntry(commit)
    if (Option.isSome(entry)) yield* addEntry(sql, entry.value)
    return true
  }, sql.withTransaction)

/**
 * Makes the method that writes a commit. The method returns `false` if the revision or the lease
 * has changed.
 */
export const makeCommit = (sql: SqlClient.SqlClient): Effect.Effect<WriteCommit> =>
  Effect.succeed(commitInSteps(sql))
