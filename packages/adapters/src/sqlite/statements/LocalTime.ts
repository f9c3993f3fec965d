/**
 * The clock of the process: processes that share a file share a clock.
 */
import { Clock, Effect } from "effect"
import type { StoreTime } from "../../sql/session/StoreTime.ts"

const withNow: StoreTime["withNow"] = (sql, statement) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => statement(sql`${now}`))

/** A statement gets the time as a parameter. */
export const localTime: StoreTime = {
  millis: () => Clock.currentTimeMillis,
  withNow,
  onceAlone: (sql, statements) => sql.withTransaction(withNow(sql, statements))
}
