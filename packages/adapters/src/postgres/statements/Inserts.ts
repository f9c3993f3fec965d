/**
 * Inserts new jobs, each with or without an idempotency key. Concurrent inserts share a statement,
 * unless the number of unfinished jobs is limited: then the inserts of a workspace run one after
 * another, in transactions of their own.
 */
import { isCurrentRecord } from "@verbatim/core/job"
import { type Creation, JobStoreError } from "@verbatim/core/ports"
import type { LimitOwner } from "@verbatim/core/workspace"
import { Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as IdempotencyRows from "../../sql/job/IdempotencyRows.ts"
import { fullError, supersededError } from "../../sql/job/JobFailure.ts"
import type { Insert } from "../../sql/job/JobStatements.ts"
import { findFull } from "../../sql/work/UnfinishedJobs.ts"
import {
  type LockWait,
  lockLimit,
  makeBatched,
  makeOrdered,
  writesMax
} from "../gather/Batching.ts"
import * as InsertStatement from "./InsertStatement.ts"

/**
 * The outcome of an insert: the job was written, its id or key is taken, or the owner of a limit
 * that is reached.
 */
type Outcome = "Written" | "Taken" | LimitOwner

/** A new job whose workspace or key has a limit on unfinished jobs. */
interface LimitedJob {
  readonly row: InsertStatement.NewRow
  readonly creation: Creation
}

/**
 * Inserts a job in a transaction that holds a lock on the workspace, so that the count is exact
 * across all processes. The jobs are counted in a separate statement, because only a new statement
 * sees the writes of earlier holders of the lock.
 */
const insertLimited = (
  sql: SqlClient.SqlClient,
  { creation, row }: LimitedJob,
  wait: LockWait
): Effect.Effect<Outcome, SqlError.SqlError> =>
  Effect.gen(function* () {
    yield* sql`SELECT pg_advisory_xact_lock(
      hashtext('verbatim unfinished'), hashtext(${row.workspace_id})) ${lockLimit(sql, wait)}`
    const full = yield* findFull(sql, creation)
    if (full !== undefined) return full
    const [written = Option.none()] = yield* InsertStatement.insertAll(sql, [row], wait)
    return Option.getOrElse(written, () => false) ? "Written" : "Taken"
  }).pipe(
    sql.withTransaction,
    Effect.catchIf(InsertStatement.isTaken, () => Effect.succeed("Taken" as const))
  )

const hasLimit = ({ unfinishedMax: max }: Creation): boolean =>
  max !== undefined && (max.workspace !== null || max.key !== null)

/**
 * Makes the insert. Jobs without a limit are batched. For each job that was not written, the reason
 * is read afterwards.
 */
export const makeInsert = (sql: SqlClient.SqlClient): Insert => {
  const insertBatched = makeBatched<InsertStatement.NewRow, boolean>(sql, {
    name: "insert",
    sizeMax: writesMax,
    subjects: InsertStatement.subjectsOf,
    isWrite: true,
    answerAll: (rows) => InsertStatement.insertAll(sql, rows, "shared"),
    answerOne: (row, wait) => InsertStatement.insertOne(sql, row, wait)
  })

  const insertOrdered = makeOrdered<LimitedJob, Outcome>(sql, {
    subjects: ({ row }) => [row.workspace_id],
    answerOne: (job, wait) => insertLimited(sql, job, wait)
  })

  const write = (creation: Creation): Effect.Effect<Outcome, SqlError.SqlError> => {
    const row = InsertStatement.rowOf(creation)
    return hasLimit(creation)
      ? insertOrdered({ row, creation })
      : Effect.map(insertBatched(row), (isWritten) => (isWritten ? "Written" : "Taken"))
  }

  const known = ({ id }: Creation["job"]) =>
    Effect.map(sql`SELECT id FROM verbatim_jobs WHERE id = ${id}`, (rows) => rows.length > 0)

  return Effect.fnUntraced(function* (creation: Creation) {
    const { idempotency, job } = creation
    const outcome = yield* write(creation)
    if (outcome === "Written") return Option.none()
    if (Option.isSome(idempotency)) {
      const { at, key } = idempotency.value
      const found = yield* IdempotencyRows.find(sql, { key, workspaceId: job.workspaceId })
      const earlier = Option.filter(found, (record) => isCurrentRecord(record, at))
      if (Option.isSome(earlier)) return earlier
    }
    if (yield* known(job)) return yield* supersededError("insert")
    if (outcome !== "Taken") return yield* fullError(outcome)
    // The key was taken, but its record has since expired or been deleted.
    return yield* new JobStoreError({ operation: "insert", reason: { _tag: "Contended" } })
  })
}
