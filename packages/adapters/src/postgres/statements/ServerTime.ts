/** The server's clock, which determines for all processes what is due. */
import { Effect, Option } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { StoreTime } from "../../sql/session/Sessions.ts"
import { makeBatched } from "../gather/Batching.ts"

/** Reads the current time in milliseconds. */
export const serverMillis = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal("floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint")

/** Maximum number of concurrent callers that share one reading of the clock. */
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

/** Statements read the server's clock themselves. */
export const serverTime: StoreTime = {
  millis,
  withNow: (sql, statement) => statement(serverMillis(sql)),
  // If Postgres had to wait for a row, it evaluates the row's new version again.
  withNowExclusive: (sql, statements) => statements(serverMillis(sql))
}
