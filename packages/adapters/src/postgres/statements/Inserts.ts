/**
 * New jobs, each under an idempotency key or without one. Those that fibers submit at the same time
 * share a statement.
 */
import { isCurrentRecord } from "@verbatim/core/job"
import { type Creation, JobStoreError } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import * as IdempotencyRows from "../../sql/job/IdempotencyRows.ts"
import { supersededError } from "../../sql/job/JobFailure.ts"
import type { Earlier, Insert } from "../../sql/job/JobStatements.ts"
import { gather, writesMax } from "../gather/Gathered.ts"
import * as InsertStatement from "./InsertStatement.ts"

/**
 * How often to retry a creation that was not written although nothing is in its way any more,
 * because its key lapsed in between.
 */
const againMax = 3

/** Many at once; each that was not written is then asked for the reason, by itself. */
export const makeInsert = (sql: SqlClient.SqlClient): Insert => {
  const insert = gather<InsertStatement.NewRow, boolean>(sql, {
    name: "insert",
    sizeMax: writesMax,
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
      const earlier = Option.filter(found, (record) => isCurrentRecord(record, at))
      if (Option.isSome(earlier)) return Option.some(earlier)
    }
    return (yield* known(job)) ? yield* supersededError("insert") : Option.none<Earlier>()
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
