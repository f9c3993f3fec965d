/**
 * The row of the work that a job owes, written by the same transaction as the state that owes it.
 */
import type { JobId, Work } from "@verbatim/core/attempt"
import { laneHash } from "@verbatim/core/job"
import type { Commit } from "@verbatim/core/ports"
import { DateTime, Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { jobFormat } from "../job/JobRows.ts"

/**
 * The newest format of the rows that this program knows: work has the format of its job. Claims
 * leave newer rows alone: a later program wrote and understands them.
 */
export const workFormat = jobFormat

const columns = ({ dueAt, keyId, kind, lane, workspaceId }: Work) => ({
  kind,
  workspace_id: workspaceId,
  key_id: keyId ?? null,
  // Empty in the row, because a key of an index is never null.
  lane: lane ?? "",
  lane_hash: laneHash(lane ?? ""),
  due_at: DateTime.toEpochMillis(dueAt)
})

/** The row of work that nobody has claimed. */
export const row = (jobId: JobId, work: Work) => ({ job_id: jobId, ...columns(work) })

/** The columns that end a lease. */
const unleased = { lease_until: null, token: null, progress: null }

/** Writes the work of a new job, in the format of its job. */
export const insert = (
  sql: SqlClient.SqlClient,
  { format, jobId, work }: { readonly jobId: JobId; readonly work: Work; readonly format: number }
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(sql`INSERT INTO verbatim_work ${sql.insert({ ...row(jobId, work), format })}`)

/**
 * Replaces the work that was owed by what a commit owes, in the format of its job. Returns `false`,
 * and writes nothing, when the commit names a lease that is not held. The write itself checks that:
 * between a read and a write somebody could take the work.
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
  const lease = isLeaseKept ? {} : unleased
  const changes = sql.update({ ...columns(work.value), format, ...lease })
  const written = Option.match(token, {
    onNone: () => sql`INSERT INTO verbatim_work ${sql.insert({ ...row(id, work.value), format })}
      ON CONFLICT (job_id) DO UPDATE SET ${changes}`,
    onSome: (held) => sql`UPDATE verbatim_work SET ${changes}
      WHERE job_id = ${id} AND token = ${held} RETURNING job_id`
  })
  return Effect.map(written, (rows) => Option.isNone(token) || rows.length > 0)
}
