/**
 * New jobs, each under an idempotency key or without one.
 */
import type { Creation } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import * as IdempotencyRows from "../../sql/job/IdempotencyRows.ts"
import { supersededError } from "../../sql/job/JobFailure.ts"
import { entryRow, jobRow } from "../../sql/job/JobRows.ts"
import type { Insert } from "../../sql/job/JobStatements.ts"
import * as WorkRows from "../../sql/work/WorkRows.ts"

/** Writes the rows of a new job one after the other. */
export const makeInsert = (sql: SqlClient.SqlClient): Insert =>
  Effect.fnUntraced(function* ({ idempotency, job, work }: Creation) {
    const { id, revision, workspaceId } = job
    if (Option.isSome(idempotency)) {
      const record = idempotency.value
      const earlier = yield* IdempotencyRows.claim(sql, { workspaceId, record })
      if (Option.isSome(earlier)) return earlier
    }
    const created = yield* sql`INSERT INTO jobs ${sql.insert(jobRow(job))}
      ON CONFLICT (id) DO NOTHING RETURNING id`
    if (created.length === 0) return yield* supersededError("insert")
    const first = { revision, at: job.acceptedAt, events: [], token: Option.none() }
    yield* sql`INSERT INTO job_history ${sql.insert(entryRow(id, first))}`
    if (Option.isSome(work)) yield* WorkRows.insert(sql, { jobId: id, work: work.value })
    return Option.none()
  }, sql.withTransaction)
