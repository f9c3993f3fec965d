/** What the databases count. */
import { makeRecorders, type Recorders } from "@verbatim/core/metrics"
import { Clock, Effect } from "effect"
import { type QuestionName, sqlTable } from "./SqlTable.ts"

/** The metrics of the databases, ready to be counted. */
export const sqlMetrics: Recorders<typeof sqlTable> = makeRecorders(sqlTable)

type Database = (typeof sqlTable.statements.labels.database)[number]

/**
 * Runs what needs a session, and measures how long it waits for one: until it says that it has
 * arrived, or gives up.
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

/** Counts for a driver that runs inside the process, between two steps of it. */
export interface DriverCounts {
  readonly statement: () => void
  /** A COMMIT has ended so many transactions. */
  readonly commit: (transactions: number) => void
}

/** Counts into the registry of whoever opens the database. */
export const makeDriverCounts: Effect.Effect<DriverCounts> = Effect.map(
  Effect.context<never>(),
  (context) => {
    const question: QuestionName = "transaction"
    return {
      statement: () => sqlMetrics.statements.recordUnsafe(context, { database: "sqlite" }),
      commit: (transactions) =>
        sqlMetrics.questions.recordUnsafe(context, { question }, transactions)
    }
  }
)
