/**
 * Inserts new jobs, each with or without an idempotency key. Concurrent inserts share a statement,
 * or a transaction if the number of unfinished jobs is limited.
 */
import { isCurrentRecord } from "@verbatim/core/job"
import { type Creation, JobStoreError } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as IdempotencyRows from "../../sql/job/IdempotencyRows.ts"
import { fullError, supersededError } from "../../sql/job/JobFailure.ts"
import type { EarlierRecord, Insert } from "../../sql/job/JobStatements.ts"
import { makeBatched, writesMax } from "../gather/Batching.ts"
import * as InsertStatement from "./InsertStatement.ts"
import * as LimitedInserts from "./LimitedInserts.ts"

/** How often to retry a creation if its key was taken but has expired in the meantime. */
const againMax = 3

/** Makes the batched insert. For each job that was not written, the reason is read afterwards. */
export const makeInsert = (sql: SqlClient.SqlClient): Insert => {
  const insert = makeBatched<InsertStatement.NewRow, boolean>(sql, {
    name: "insert",
    sizeMax: writesMax,
    subjects: InsertStatement.subjectsOf,
    locks: () => [],
    answerAll: (rows) => InsertStatement.insertAll(sql, rows, "shared"),
    answerOne: (row, wait) => InsertStatement.insertOne(sql, row, wait)
  })

  const insertLimited = makeBatched(sql, LimitedInserts.makeBatching(sql))

  const write = (creation: Creation): Effect.Effect<LimitedInserts.Outcome, SqlError.SqlError> => {
    const { unfinishedMax: max } = creation
    const row = InsertStatement.rowOf(creation)
    return max === undefined || (max.workspace === null && max.key === null)
      ? Effect.map(insert(row), (isWritten) => (isWritten ? "Written" : "Taken"))
      : insertLimited({ row, max })
  }

  const known = ({ id }: Creation["job"]) =>
    Effect.map(sql`SELECT id FROM verbatim_jobs WHERE id = ${id}`, (rows) => rows.length > 0)

  const put = Effect.fnUntraced(function* (creation: Creation) {
    const { idempotency, job } = creation
    const outcome = yield* write(creation)
    if (outcome === "Written") return Option.some(Option.none())
    if (Option.isSome(idempotency)) {
      const { at, key } = idempotency.value
      const found = yield* IdempotencyRows.find(sql, { key, workspaceId: job.workspaceId })
      const earlier = Option.filter(found, (record) => isCurrentRecord(record, at))
      if (Option.isSome(earlier)) return Option.some(earlier)
    }
    if (yield* known(job)) return yield* supersededError("insert")
    return outcome === "Taken" ? Option.none<EarlierRecord>() : yield* fullError(outcome)
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
