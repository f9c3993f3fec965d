/**
 * Commits jobs: state, history, work, transcript, charge and webhook body are written one after
 * another in one transaction.
 */
import type { Commit } from "@verbatim/core/ports"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { writeParts } from "../../sql/job/CommitParts.ts"
import { supersededError } from "../../sql/job/JobFailure.ts"
import { entryRow, formatOf, jobColumns, jobFormat } from "../../sql/job/JobRows.ts"
import type { WriteCommit } from "../../sql/job/JobStatements.ts"
import * as PieceRows from "../../sql/job/PieceRows.ts"
import * as WorkRows from "../../sql/work/WorkRows.ts"
import { appendEntry } from "./FeedSteps.ts"

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
    yield* writeParts(sql, commit, chunks)
    return true
  }, sql.withTransaction)

/**
 * Makes the method that writes a commit. The method returns `false` if the revision or the lease
 * has changed.
 */
export const makeCommit = (sql: SqlClient.SqlClient): Effect.Effect<WriteCommit> =>
  Effect.succeed(commitInSteps(sql))
