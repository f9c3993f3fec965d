/** Writes the rows of pending work, in the same transaction as the state that requires the work. */
import { type JobId, type Work, WorkKind } from "@verbatim/core/attempt"
import { laneHash } from "@verbatim/core/job"
import type { Commit, Creation, UnfinishedQuery } from "@verbatim/core/ports"
import type { ApiKeyId, LimitOwner } from "@verbatim/core/workspace"
import { DateTime, Effect, Option, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { jobFormat } from "../job/JobRows.ts"
import { makeReader, type Row } from "../row/Row.ts"

/**
 * The newest format of work rows that this version knows. A work row has the same format as its
 * job. Claims skip rows in newer formats, which belong to a later version of the code.
 */
export const workFormat = jobFormat

const columns = ({ dueAt, keyId, kind, lane, workspaceId }: Work) => ({
  kind,
  workspace_id: workspaceId,
  key_id: keyId ?? null,
  // Work without a lane has an empty string here, because an index key must not be null.
  lane: lane ?? "",
  lane_hash: laneHash(lane ?? ""),
  due_at: DateTime.toEpochMillis(dueAt)
})

/** Returns the row for work that has not been claimed. */
export const row = (jobId: JobId, work: Work) => ({ job_id: jobId, ...columns(work) })

/** The column values after a lease has ended. */
const endedLease = { lease_until: null, token: null, progress: null }

/** Writes a new job's work, in the job's format. */
export const insert = (
  sql: SqlClient.SqlClient,
  { format, jobId, work }: { readonly jobId: JobId; readonly work: Work; readonly format: number }
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(sql`INSERT INTO verbatim_work ${sql.insert({ ...row(jobId, work), format })}`)

/**
 * Replaces a job's pending work, in the job's format. Returns `false` without writing anything if
 * the commit names a lease that is not held. The write itself checks the lease, because another
 * process could take the work between a separate read and the write.
 */
export const replace = (
  sql: SqlClient.SqlClient,
  { isLeaseKept, next: { id }, token, work }: Commit,
  format: number
): Effect.Effect<boolean, SqlError.SqlError> => {
  if (Option.isNone(work)) {
    const removed = Option.match(token, {
      onNone: () => sql`DELETE FROM verbatim_work WHERE job_id = ${id}`,
      onSome: (held) =>
        sql`DELETE FROM verbatim_work WHERE job_id = ${id} AND token = ${held} RETURNING job_id`
    })
    return Effect.map(removed, (rows) => Option.isNone(token) || rows.length > 0)
  }
  const lease = isLeaseKept ? {} : endedLease
  const changes = sql.update({ ...columns(work.value), format, ...lease })
  const written = Option.match(token, {
    onNone: () => sql`INSERT INTO verbatim_work ${sql.insert({ ...row(id, work.value), format })}
      ON CONFLICT (job_id) DO UPDATE SET ${changes}`,
    onSome: (held) => sql`UPDATE verbatim_work SET ${changes}
      WHERE job_id = ${id} AND token = ${held} RETURNING job_id`
  })
  return Effect.map(written, (rows) => Option.isNone(token) || rows.length > 0)
}

type Sql = SqlClient.SqlClient

const read = makeReader(Schema.Int)

const kinds = WorkKind.literals.map((kind) => `('${kind}')`).join(", ")

/**
 * Counts a workspace's unfinished jobs, up to a limit per kind. The query orders rows like the lane
 * index, because otherwise Postgres may scan all workspaces' work.
 */
const buildWorkspaceCount = (sql: Sql, id: string, max: number): Statement.Fragment =>
  sql`(SELECT CAST(SUM((SELECT COUNT(*) FROM (
      SELECT 1 FROM verbatim_work
      WHERE verbatim_work.kind = kinds.column1 AND verbatim_work.workspace_id = ${id}
      ORDER BY verbatim_work.lane_hash, verbatim_work.due_at, verbatim_work.job_id
      LIMIT ${max}) AS found)) AS BIGINT) FROM (VALUES ${sql.literal(kinds)}) AS kinds)`

/** Counts a key's unfinished jobs, up to a limit. */
const buildKeyCount = (sql: Sql, id: string, max: number): Statement.Fragment =>
  sql`(SELECT COUNT(*) FROM (
    SELECT 1 FROM verbatim_work WHERE key_id = ${id} LIMIT ${max}) AS found)`

/** Counts unfinished jobs up to a limit. */
export const countUnfinished = (
  sql: Sql,
  { countMax, keyId, workspaceId }: UnfinishedQuery
): Effect.Effect<number, SqlError.SqlError> => {
  const count =
    keyId === null
      ? buildWorkspaceCount(sql, workspaceId, countMax)
      : buildKeyCount(sql, keyId, countMax)
  return sql<Row>`SELECT ${count} AS unfinished`.pipe(
    Effect.flatMap(([row]) => read(row?.unfinished, "a count of work")),
    Effect.map((found) => Math.min(found, countMax))
  )
}

/**
 * Returns which limit on unfinished jobs a new job would exceed, if any: the workspace's or the
 * key's. The caller's transaction excludes other new jobs in the workspace.
 */
export const findFull = Effect.fnUntraced(function* (
  sql: Sql,
  { job: { keyId, workspaceId }, unfinishedMax }: Pick<Creation, "job" | "unfinishedMax">
): Effect.fn.Return<LimitOwner | undefined, SqlError.SqlError> {
  const { key = null, workspace = null } = unfinishedMax ?? {}
  const isFull = (countMax: number, keyId: ApiKeyId | null) =>
    Effect.map(countUnfinished(sql, { workspaceId, keyId, countMax }), (count) => count >= countMax)
  if (workspace !== null && (yield* isFull(workspace, null))) return "workspace"
  return keyId !== undefined && key !== null && (yield* isFull(key, keyId)) ? "key" : undefined
})
