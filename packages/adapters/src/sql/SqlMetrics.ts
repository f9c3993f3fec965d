/**
 * Defines metrics for the databases: statements, batch sizes and the wait for a session.
 * `docs/metrics.md` is generated from the table.
 */
import {
  type MetricTable,
  makeRecorders,
  type Recorders,
  shortSeconds
} from "@verbatim/core/metrics"
import { Clock, Effect } from "effect"

const databases = ["postgres", "sqlite"] as const

const batches = [
  "account",
  "api key",
  "commit",
  "corrections",
  "insert",
  "passages",
  "preset",
  "time",
  "transaction",
  "webhook secrets"
] as const

/**
 * The name of a kind of batch: several requests answered by one statement, or several transactions
 * ended by one COMMIT.
 */
export type BatchName = (typeof batches)[number]

/** The table of all database metrics. */
export const sqlTable = {
  statements: {
    name: "verbatim_sql_statements_total",
    help: "Statements that were run.",
    labels: { database: databases }
  },
  batchSize: {
    name: "verbatim_sql_batch_size",
    help: "Calls that shared one statement; on SQLite, transactions that shared one COMMIT.",
    labels: { batch: batches },
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000]
  },
  sessionWait: {
    name: "verbatim_sql_session_wait_seconds",
    help: "Time that a statement or a transaction waited for a session.",
    labels: { database: databases },
    buckets: shortSeconds
  }
} as const satisfies MetricTable

/** Functions that record the database metrics. */
export const sqlMetrics: Recorders<typeof sqlTable> = makeRecorders(sqlTable)

type Database = (typeof sqlTable.statements.labels.database)[number]

/**
 * Runs an effect that needs a session, and measures how long the effect waits for the session. The
 * wait ends when the effect calls `arrived` or ends.
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

/** Plain functions for a driver that cannot run effects to count its statements and commits. */
export interface DriverCounts {
  readonly statement: () => void
  /** Counts the transactions that one COMMIT ended. */
  readonly commit: (transactions: number) => void
}

/** Adds the counts to the metric registry of the program that opens the database. */
export const makeDriverCounts: Effect.Effect<DriverCounts> = Effect.map(
  Effect.context<never>(),
  (context) => {
    const batch: BatchName = "transaction"
    return {
      statement: () => sqlMetrics.statements.recordUnsafe(context, { database: "sqlite" }),
      commit: (transactions) => sqlMetrics.batchSize.recordUnsafe(context, { batch }, transactions)
    }
  }
)
