/**
 * The store's own time, by which all of its processes tell what is due.
 */
import { Clock, Effect, Option } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Dialect from "./Dialect.ts"
import { gathered } from "./Gathered.ts"

/** As many as ask at a time: one answer is for all of them. */
const askersMax = 1_000

/** In milliseconds. Processes that share a file share a clock. */
export const storeMillis = (sql: SqlClient.SqlClient): Effect.Effect<number, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () => {
      const read = Effect.map(
        sql<{ readonly millis: number }>`SELECT ${Dialect.serverMillis(sql)} AS millis`,
        (rows) => rows[0]?.millis ?? 0
      )
      const ask = gathered<undefined, number>(sql, {
        sizeMax: askersMax,
        subjects: () => [],
        answerAll: (askers) => Effect.map(read, (millis) => askers.map(() => Option.some(millis))),
        answerOne: () => read
      })
      return Effect.suspend(() => ask(undefined))
    },
    orElse: () => Clock.currentTimeMillis
  })
