/**
 * New jobs, each under an idempotency key or without one. Those that fibers submit at the same time
 * share a statement, or a transaction where only so many jobs may be unfinished.
 */
import { isCurrentRecord } from "@verbatim/core/job"
import { type Creation, JobStoreError } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as IdempotencyRows from "../../sql/job/IdempotencyRows.ts"
import { fullError, supersededError } from "../../sql/job/JobFailure.ts"
import type { Earlier, Insert } from "../../sql/job/JobStatements.ts"
import { gather, writesMax } from "../gather/Gathered.ts"
import * as InsertStatement from "./InsertStatement.ts"
import * as LimitedInserts from "./LimitedInserts.ts"

/**
 * How often to retry a creation that was not written although nothing is in its way any more,
 * because its key lapsed in between.
 */
const againMax = 3

/** Many at once; each that was not written is then asked for the reason. */
export const makeInsert = (sql: SqlClient.SqlClient): Insert => {
  const insert = gather<InsertStatement.NewRow, boolean>(sql, {
    name: "insert",
    sizeMax: writesMax,
    subjects: InsertStatement.subjectsOf,
    locks: () => [],
    answerAll: (rows) => InsertStatement.insertAll(sql, rows, "shared"),
    answerOne: (row, wait) => InsertStatement.insertOne(sql, row, wait)
  })

  const insertLimited = gather(sql, LimitedInserts.gathering(sql))

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
    return outcome === "Taken" ? Option.none<Earlier>() : yield* fullError(outcome)
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
