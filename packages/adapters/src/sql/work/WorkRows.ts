/** Writes the rows of pending work, in the same transaction as the state that requires the work. */
import type { JobId, Work } from "@verbatim/core/attempt"
import { laneHash } from "@verbatim/core/job"
import type { Commit } from "@verbatim/core/ports"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { jobFormat } from "../job/JobRows.ts"

/**
 * The newest format of work rows that this version knows. Work has the same format as its job.
 * Claims skip rows in newer formats, which belong to a later version of the code.
 */
export const workFormat = jobFormat

const columns = ({ dueAt, keyId, kind, lane, workspaceId }: Work) => ({
  kind,
  workspace_id: workspaceId,
  key_id: keyId ?? null,
  // If there is no lane, the row contains an empty string, because an index key is never null.
  lane: lane ?? "",
  lane_hash: laneHash(lane ?? ""),
  due_at: DateTime.toEpochMillis(dueAt)
})

/** Returns the row for unclaimed work. */
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
