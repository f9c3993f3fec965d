/** Inserts new jobs, each with or without an idempotency key. */
import type { Creation } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import * as IdempotencyRows from "../../sql/job/IdempotencyRows.ts"
import { fullError, supersededError } from "../../sql/job/JobFailure.ts"
import { entryRow, firstFormat, jobRow } from "../../sql/job/JobRows.ts"
import type { Insert } from "../../sql/job/JobStatements.ts"
import { findFull } from "../../sql/work/UnfinishedJobs.ts"
import * as WorkRows from "../../sql/work/WorkRows.ts"
import { appendEntry } from "./FeedSteps.ts"

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
