/**
 * Inserts and commits jobs: rows are written one after another in one transaction. With one writer
 * at a time, the ordinals of the feed rise in the order of the commits.
 */
import type { Commit, Creation } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { writeParts } from "../../sql/job/CommitParts.ts"
import * as IdempotencyRows from "../../sql/job/IdempotencyRows.ts"
import { fullError, supersededError } from "../../sql/job/JobFailure.ts"
import {
  entryRow,
  firstFormat,
  formatOf,
  jobColumns,
  jobFormat,
  jobRow
} from "../../sql/job/JobRows.ts"
import type { Insert, JobStatements, WriteCommit } from "../../sql/job/JobStatements.ts"
import * as PieceRows from "../../sql/job/PieceRows.ts"
import type { Row } from "../../sql/row/Row.ts"
import { findFull } from "../../sql/work/UnfinishedJobs.ts"
import * as WorkRows from "../../sql/work/WorkRows.ts"

/** Reserves the next ordinal. */
export const nextOrdinal: JobStatements["nextOrdinal"] = (sql) =>
  Effect.map(
    sql<{ readonly ordinal: number }>`UPDATE verbatim_job_feed SET ordinal = ordinal + 1
      WHERE id = 1 RETURNING ordinal`,
    ([counted]) => sql`${counted?.ordinal ?? 0}`
  )

/** Writes a row of `job_history` as the last row of the feed in the caller's transaction. */
const appendEntry = (sql: SqlClient.SqlClient, row: Row): Effect.Effect<void, SqlError.SqlError> =>
  nextOrdinal(sql).pipe(
    Effect.flatMap(
      (ordinal) => sql`INSERT INTO verbatim_job_history ${sql.insert({ ...row, ordinal })}`
    ),
    Effect.asVoid
  )

/** The ordinal after the last commit. */
export const feedEnd: JobStatements["feedEnd"] = (sql) =>
  sql`(SELECT verbatim_job_feed.ordinal + 1 FROM verbatim_job_feed)`

/** Makes the method that writes the rows of a new job one after another. */
export const makeInsert = (sql: SqlClient.SqlClient): Insert =>
  Effect.fnUntraced(function* (creation: Creation) {
    const { idempotency, job, work } = creation
    const { id, revision, workspaceId } = job
    if (Option.isSome(idempotency)) {
      const record = idempotency.value
      const earlier = yield* IdempotencyRows.claim(sql, { workspaceId, record })
      if (Option.isSome(earlier)) return earlier
    }
    const created = yield* sql`INSERT INTO verbatim_jobs ${sql.insert(jobRow(job))}
      ON CONFLICT (id) DO NOTHING RETURNING id`
    if (created.length === 0) return yield* supersededError("insert")
    const full = yield* findFull(sql, creation)
    if (full !== undefined) return yield* fullError(full)
    const first = { revision, at: job.acceptedAt, events: [], token: Option.none() }
    yield* appendEntry(sql, entryRow(id, first))
    if (Option.isSome(work)) {
      yield* WorkRows.insert(sql, { jobId: id, work: work.value, format: firstFormat })
    }
    return Option.none()
  }, sql.withTransaction)

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
 * Makes the method that writes a commit, and that returns `false` if the revision or the lease has
 * changed.
 */
export const makeCommit = (sql: SqlClient.SqlClient): Effect.Effect<WriteCommit> =>
  Effect.succeed(commitInSteps(sql))
