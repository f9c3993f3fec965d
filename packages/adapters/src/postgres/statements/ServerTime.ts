/** The clock of the server, by which all processes decide what is due. */
import { Effect, Option } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { StoreTime } from "../../sql/session/Sessions.ts"
import { gather } from "../gather/Gathered.ts"

/** In milliseconds, at the instant of reading. */
export const serverMillis = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal("floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint")

/** One answer serves all who ask at the same time. */
const askersMax = 1_000

const millis: StoreTime["millis"] = (sql) => {
  const read = Effect.map(
    sql<{ readonly millis: number }>`SELECT ${serverMillis(sql)} AS millis`,
    (rows) => rows[0]?.millis ?? 0
  )
  const ask = gather<undefined, number>(sql, {
    name: "time",
    sizeMax: askersMax,
    subjects: () => [],
    answerAll: (askers) => Effect.map(read, (now) => askers.map(() => Option.some(now))),
    answerOne: () => read
  })
  return Effect.suspend(() => ask(undefined))
}

/** A statement reads the clock itself. */
export const serverTime: StoreTime = {
  millis,
  withNow: (sql, statement) => statement(serverMillis(sql)),
  // Postgres computes the new row again if it had to wait for the old one.
  onceAlone: (sql, statements) => statements(serverMillis(sql))
}
