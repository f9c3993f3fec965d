/** Metrics of the databases. */
import { makeRecorders, type Recorders } from "@verbatim/core/metrics"
import { Clock, Effect } from "effect"
import { type BatchName, sqlTable } from "./SqlTable.ts"

/** Recorders for the database metrics. */
export const sqlMetrics: Recorders<typeof sqlTable> = makeRecorders(sqlTable)

type Database = (typeof sqlTable.statements.labels.database)[number]

/**
 * Runs an effect that needs a session, and measures how long it waits for one. The wait ends when
 * the effect calls `arrived` or ends.
 */
export const measureWait =
  (database: Database) =>
  <A, E, R>(
    run: (arrived: Effect.Effect<void>) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const begun = clock.monotonicTimeNanosUnsafe()
      let isThere = false
      const arrived = Effect.suspend(() => {
        if (isThere) return Effect.void
        isThere = true
        const seconds = Number(clock.monotonicTimeNanosUnsafe() - begun) / 1e9
        return sqlMetrics.sessionWait.record({ database }, seconds)
      })
      return Effect.onExit(run(arrived), () => arrived)
    })

/** Counters for a driver inside the process, which must count without running an effect. */
export interface DriverCounts {
  readonly statement: () => void
  /** Counts the transactions that one COMMIT ended. */
  readonly commit: (transactions: number) => void
}

/** Adds the counts to the metric registry of the program that opens the database. */
export const makeDriverCounts: Effect.Effect<DriverCounts> = Effect.map(
  Effect.context<never>(),
  (context) => {
    const question: BatchName = "transaction"
    return {
      statement: () => sqlMetrics.statements.recordUnsafe(context, { database: "sqlite" }),
      commit: (transactions) =>
        sqlMetrics.questions.recordUnsafe(context, { question }, transactions)
    }
  }
)
