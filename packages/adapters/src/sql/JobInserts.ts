/**
 * New jobs, each under an idempotency key or without one.
 */
import { type IdempotencyRecord, isCurrent } from "@verbatim/core/domain/job/IdempotencyRecord"
import { type Creation, JobStoreError } from "@verbatim/core/ports/JobStore"
import { traced } from "@verbatim/core/services/Traced"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { gathered } from "./Gathered.ts"
import * as IdempotencyRows from "./IdempotencyRows.ts"
import * as InsertStatement from "./InsertStatement.ts"
import { failing, superseded, togetherMax } from "./JobFailure.ts"
import { entryRow, jobRow } from "./JobRows.ts"
import * as WorkRows from "./WorkRows.ts"

/** The record that stands for the key of a creation; none when the creation was written. */
type Earlier = Option.Option<IdempotencyRecord>

/** Writes a creation. It fails as superseded when there is a job with that id. */
type Insert = (creation: Creation) => Effect.Effect<Earlier, SqlError.SqlError | JobStoreError>

/** Writes the rows of a new job one after the other. */
const insertInSteps = (sql: SqlClient.SqlClient): Insert =>
  Effect.fnUntraced(function* ({ idempotency, job, work }: Creation) {
    const { id, revision, workspaceId } = job
    if (Option.isSome(idempotency)) {
      const record = idempotency.value
      const earlier = yield* IdempotencyRows.claim(sql, { workspaceId, record })
      if (Option.isSome(earlier)) return earlier
    }
    const created = yield* sql`INSERT INTO jobs ${sql.insert(jobRow(job))}
      ON CONFLICT (id) DO NOTHING RETURNING id`
    if (created.length === 0) return yield* superseded("insert")
    const first = { revision, at: job.acceptedAt, events: [], token: Option.none() }
    yield* sql`INSERT INTO job_history ${sql.insert(entryRow(id, first))}`
    if (Option.isSome(work)) yield* WorkRows.insert(sql, { jobId: id, work: work.value })
    return Option.none()
  }, sql.withTransaction)

/**
 * How often a creation is put again that was not written although nothing is in its way any more,
 * because its key lapsed in between.
 */
const againMax = 3

/** Many at once; what was not written is asked for its reason alone. */
const insertAtOnce = (sql: SqlClient.SqlClient): Insert => {
  const insert = gathered<InsertStatement.NewRow, boolean>(sql, {
    sizeMax: togetherMax,
    subjects: ({ id, key, workspace_id }) =>
      key === undefined ? [id] : [id, `${workspace_id} ${key}`],
    answerAll: (rows) =>
      Effect.map(InsertStatement.insertAll(sql, rows), (written) =>
        written.map((isWritten) => (isWritten ? Option.some(true) : Option.none()))
      ),
    answerOne: (row) => InsertStatement.insertOne(sql, row)
  })

  const known = ({ id }: Creation["job"]) =>
    Effect.map(sql`SELECT id FROM jobs WHERE id = ${id}`, (rows) => rows.length > 0)

  const put = Effect.fnUntraced(function* (creation: Creation) {
    const { idempotency, job } = creation
    if (yield* insert(InsertStatement.rowOf(creation))) return Option.some(Option.none())
    if (Option.isSome(idempotency)) {
      const { at, key } = idempotency.value
      const found = yield* IdempotencyRows.find(sql, { key, workspaceId: job.workspaceId })
      const earlier = Option.filter(found, (record) => isCurrent(record, at))
      if (Option.isSome(earlier)) return Option.some(earlier)
    }
    return (yield* known(job)) ? yield* superseded("insert") : Option.none<Earlier>()
  })

  return Effect.fnUntraced(function* (creation) {
    for (let tries = 0; tries < againMax; tries++) {
      const outcome = yield* put(creation)
      if (Option.isSome(outcome)) return outcome.value
    }
    return yield* new JobStoreError({
      operation: "insert",
      reason: { _tag: "Unavailable", cause: "the idempotency key changed hands again and again" }
    })
  })
}

/** Writes a new job with all that belongs to it, unless its idempotency key stands for another. */
export const inserting = (sql: SqlClient.SqlClient) => {
  const insert = sql.onDialectOrElse({
    pg: () => insertAtOnce(sql),
    orElse: () => insertInSteps(sql)
  })
  return traced("SqlJobStore.insert")(insert, failing("insert"))
}
