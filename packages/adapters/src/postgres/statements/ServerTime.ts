/**
 * Reads the server's clock, which determines for all processes what is due, and the transaction
 * numbers, which are the positions in the feed.
 */
import { Effect, Option } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { JobStatements } from "../../sql/job/JobStatements.ts"
import type { StoreTime } from "../../sql/session/Sessions.ts"
import { makeBatched } from "../gather/Batching.ts"

/** Reads the current time in milliseconds. */
export const serverMillis = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal("floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint")

/** Maximum number of concurrent callers that share one clock reading. */
const callersMax = 1_000

const millis: StoreTime["millis"] = (sql) => {
  const read = Effect.map(
    sql<{ readonly millis: number }>`SELECT ${serverMillis(sql)} AS millis`,
    (rows) => rows[0]?.millis ?? 0
  )
  const readBatched = makeBatched<undefined, number>(sql, {
    name: "time",
    sizeMax: callersMax,
    isWrite: false,
    subjects: () => [],
    answerAll: (callers) => Effect.map(read, (now) => callers.map(() => Option.some(now))),
    answerOne: () => read
  })
  return Effect.suspend(() => readBatched(undefined))
}

/** Lets each statement read the server's clock itself. */
export const serverTime: StoreTime = {
  millis,
  withNow: (sql, statement) => statement(serverMillis(sql)),
  // After waiting for a row's lock, Postgres re-evaluates the condition for the row's new version.
  withNowExclusive: (sql, statements) => statements(serverMillis(sql))
}

/** Uses the transaction's number as the next ordinal. */
export const nextOrdinal: JobStatements["nextOrdinal"] = (sql) =>
  Effect.succeed(sql`pg_current_xact_id()::text::bigint`)

/**
 * The number of the oldest open transaction, before which the feed ends. Transactions get their
 * numbers on their first write, but can commit in any order. The writes of that transaction and all
 * later transactions are reported after its end. A host's long transaction delays events, but no
 * events are lost.
 */
export const feedEnd: JobStatements["feedEnd"] = (sql) =>
  sql`(SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint)`
