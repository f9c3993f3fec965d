/**
 * Corrections that are too many to be deleted by one statement: half a million rows kept a file
 * busy for two seconds. With their transcript they are set aside, out of sight at once, and deleted
 * some at a time, by whoever looks for such: a process that dies leaves them to the others.
 *
 * The head of the corrections refers to a piece of its transcript, so it gets one of its own, in
 * front of where a transcript begins. That is the mark of what is set aside.
 */
import type { JobId } from "@verbatim/core/attempt"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import type { RowReads } from "../row/RowReads.ts"
import type { TellDeleted, ToldDeletion } from "./JobStatements.ts"
import type { Sweep } from "./Sweeping.ts"
import { deletePieces, firstPiece } from "./TextPieces.ts"

type Sql = SqlClient.SqlClient

/** The ordinal of the piece that what is set aside refers to. */
const asidePiece = -1

/** The workspace of jobs of which only corrections are left: no caller has one of that id. */
const removedWorkspace = "/removed/"

/**
 * Length of all versions from which on corrections are set aside. Each changed segment counts at
 * least 40: up to 500 of them go by one statement, in some milliseconds.
 */
const togetherMax = 20_000

/** Rows that one transaction deletes, of each table: some milliseconds on either database. */
const rowMax = 1_000

/** Of a job. */
interface Asked {
  readonly id: JobId
}

/** Whether the corrections of a job are in sight: a condition on rows of `corrections`. */
export const isThere = (sql: Sql, id: JobId): Statement.Fragment =>
  sql`verbatim_corrections.job_id = ${id} AND verbatim_corrections.ordinal = ${firstPiece}`

/** The same for rows of other tables. */
export const isOf = (sql: Sql, id: JobId): Statement.Fragment =>
  sql`job_id = ${id} AND EXISTS (SELECT 1 FROM verbatim_corrections WHERE ${isThere(sql, id)})`

const isMany = (sql: Sql, job: Statement.Fragment): Statement.Fragment =>
  sql`verbatim_corrections.job_id = ${job} AND verbatim_corrections.ordinal = ${firstPiece}
    AND verbatim_corrections.written_length > ${togetherMax}`

/** Whether corrections are set aside: a condition on rows of `corrections`, which have an index. */
const isAside = (sql: Sql): Statement.Fragment =>
  sql`verbatim_corrections.ordinal < ${sql.literal(String(firstPiece))}`

const findAside = (sql: Sql, { id }: Asked) =>
  sql`SELECT job_id FROM verbatim_corrections WHERE job_id = ${id} AND ${isAside(sql)}`

/**
 * The same for a transaction that relies on it. One that sees the rows of its beginning may see
 * some that a sweep has deleted since: the database then refuses this update, and whoever chose
 * that isolation repeats the transaction.
 */
const holdAside = (sql: Sql, { id }: Asked) =>
  sql`UPDATE verbatim_corrections SET ordinal = ${asidePiece}
    WHERE job_id = ${id} AND ${isAside(sql)} RETURNING job_id`

/**
 * Whether a job has corrections that must be set aside, or are so already: a condition on rows of
 * `jobs`.
 */
export const hasMany = (sql: Sql): Statement.Fragment =>
  sql`EXISTS (SELECT 1 FROM verbatim_corrections
    WHERE ${isMany(sql, sql.literal("verbatim_jobs.id"))}
    OR verbatim_corrections.job_id = verbatim_jobs.id AND ${isAside(sql)})`

/** Hides the corrections of a job, if they are many: statements of a transaction. */
export const setAside = Effect.fnUntraced(function* (
  sql: Sql,
  { id }: Asked
): Effect.fn.Return<boolean, SqlError.SqlError> {
  const made = yield* sql`INSERT INTO verbatim_transcript_chunks (job_id, ordinal, content)
    SELECT job_id, CAST(${asidePiece} AS BIGINT), '' FROM verbatim_corrections
    WHERE ${isMany(sql, sql`${id}`)} RETURNING job_id`
  if (made.length === 0) return false
  yield* sql`UPDATE verbatim_corrections SET ordinal = ${asidePiece} WHERE job_id = ${id}`
  return true
})

/** A job to be removed. */
interface Removing extends Asked, Pick<ToldDeletion, "time" | "workspaceId"> {
  readonly where: Statement.Fragment
  readonly tell: TellDeleted
}

interface AsideRow {
  readonly state: unknown
  /** Below zero: as much as its last one was above -1. */
  readonly revision: number
}

/**
 * Removes a job with many corrections: its row leaves its workspace, and nobody's commit fits it
 * any more. What it is now is for no program to read.
 */
export const removeAside = Effect.fnUntraced(function* (
  sql: Sql,
  { id, tell, time, where, workspaceId }: Removing
) {
  const rows = yield* sql<AsideRow>`UPDATE verbatim_jobs
    SET workspace_id = ${removedWorkspace}, revision = -1 - revision, callback_id = ''
    WHERE id = ${id} AND ${where} RETURNING state, revision`
  const [row] = rows
  if (row === undefined) return rows
  yield* tell(sql, { id, workspaceId, revision: -Number(row.revision), time })
  const known = yield* holdAside(sql, { id })
  if (known.length === 0 && !(yield* setAside(sql, { id }))) {
    yield* sql`DELETE FROM verbatim_jobs WHERE id = ${id}`
    return rows
  }
  yield* deletePieces(sql, { id })
  yield* sql`DELETE FROM verbatim_work WHERE job_id = ${id}`
  yield* sql`DELETE FROM verbatim_job_history WHERE job_id = ${id}`
  yield* sql`DELETE FROM verbatim_kept_bodies WHERE job_id = ${id}`
  yield* sql`UPDATE verbatim_jobs SET state = '{}' WHERE id = ${id}`
  return rows
})

/** Whether a job is there: a condition on rows of `jobs`, for reads by id alone. */
export const isPresent = (sql: Sql): Statement.Fragment =>
  sql`verbatim_jobs.workspace_id <> ${removedWorkspace}`

/** The parts of corrections, those that refer to others first. */
const parts = [
  { table: "verbatim_correction_changes", key: "job_id, version, segment" },
  { table: "verbatim_corrected_segments", key: "job_id, segment" },
  { table: "verbatim_correction_versions", key: "job_id, version" }
] as const

/** What a sweep needs to know of the database. */
interface Sweeping {
  readonly reads: Pick<RowReads, "isAmongFirst" | "passingLocked">
}

const deleteSome = Effect.fnUntraced(function* (
  sql: Sql,
  { id, reads }: Asked & Pick<Sweeping, "reads">
) {
  for (const part of parts) {
    const first = { ...part, where: sql`job_id = ${id}`, limit: rowMax }
    const deleted = yield* sql`DELETE FROM ${sql.literal(part.table)}
      WHERE ${reads.isAmongFirst(sql, first)} RETURNING job_id`
    if (deleted.length === rowMax) return
  }
  yield* sql`DELETE FROM verbatim_jobs WHERE id = ${id} AND workspace_id = ${removedWorkspace}`
  yield* sql`DELETE FROM verbatim_transcript_chunks WHERE job_id = ${id}
    AND ordinal = ${asidePiece}`
})

/** Jobs that are looked at to find one that nobody holds: so many can be swept at once. */
const lookMax = 16

/**
 * Deletes some rows of one job in one transaction, and returns how many jobs there were. The row of
 * the job is held first, as whoever changes or removes it does: nobody waits in a circle.
 */
const sweepOne = (sql: Sql, { reads }: Sweeping): Effect.Effect<number, SqlError.SqlError> =>
  sql.withTransaction(
    Effect.gen(function* () {
      // One that somebody else sweeps, or changes, is left to them.
      const [row] = yield* sql<{ readonly id: JobId }>`SELECT id FROM verbatim_jobs WHERE id IN (
          SELECT job_id FROM verbatim_corrections WHERE ${isAside(sql)} ORDER BY job_id
            LIMIT ${lookMax})
        LIMIT 1 ${sql.literal(reads.passingLocked)}`
      if (row === undefined) return 0
      // Whoever held the job until now may have swept them.
      if ((yield* findAside(sql, row)).length > 0) yield* deleteSome(sql, { ...row, reads })
      return 1
    })
  )

/** What is set aside. */
export const makeSweep = (sql: Sql, ways: Sweeping): Sweep => ({
  what: "Corrections that are set aside",
  stepMax: 1,
  step: sweepOne(sql, ways)
})
