/** Deletes obsolete rows in small steps at intervals, concurrently with all requests. */
import { Duration, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { StoreTime } from "../session/Sessions.ts"
import type { RowReads } from "./RowStatements.ts"

/** Number of rows that one statement deletes, which takes a few milliseconds on SQLite. */
export const sweepMax = 500

/** Pause between two steps, so that other writers can run. */
const rest = Duration.millis(50)

/** Time between two sweeps, which can be long because obsolete rows only take up space. */
const interval = Duration.minutes(1)

/** Time until the next sweep if a sweep found nothing to delete, as is usual. */
const idleInterval = Duration.minutes(10)

/** A kind of obsolete row, and how to delete such rows in steps. */
export interface Sweep {
  /** The name of this kind of row. A log line about a failed step begins with it. */
  readonly what: string
  /** Deletes some rows in one transaction, and returns the number of deleted rows. */
  readonly step: Effect.Effect<number, SqlError.SqlError>
  /**
   * Maximum number of rows that a step deletes. If a step deletes fewer rows, no obsolete rows are
   * left.
   */
  readonly stepMax: number
}

/**
 * After this number of consecutive failures, the operator is warned once, because the rows may
 * contain personal text.
 */
const failuresBeforeWarning = 5

/** A table of idempotency keys to sweep, and its differences between databases. */
interface ExpiredKeys {
  readonly table: "verbatim_idempotency_keys" | "verbatim_preset_keys"
  readonly what: string
  /** The age from which a key is deleted. */
  readonly age: Duration.Duration
  readonly reads: Pick<RowReads, "passingLocked">
  readonly time: StoreTime
}

/**
 * Creates the sweep that deletes expired keys. A key that is being replaced is skipped while
 * locked, and is checked again before its deletion.
 */
export const makeKeySweep = (
  sql: SqlClient.SqlClient,
  { age, reads, table, time, what }: ExpiredKeys
): Sweep => ({
  what,
  stepMax: sweepMax,
  step: Effect.gen(function* () {
    const oldest = (yield* time.millis(sql)) - Duration.toMillis(age)
    // Postgres may run a subquery once per row, and would then delete more rows than the limit.
    const swept = yield* sql`WITH lapsed AS MATERIALIZED (
        SELECT workspace_id, key FROM ${sql(table)}
        WHERE at <= ${oldest} ORDER BY at LIMIT ${sweepMax} ${sql.literal(reads.passingLocked)})
      DELETE FROM ${sql(table)}
      WHERE at <= ${oldest} AND (workspace_id, key) IN (SELECT workspace_id, key FROM lapsed)
      RETURNING key`
    return swept.length
  })
})

/** Deletes all obsolete rows, and returns the time until the next sweep. */
const sweepAll = ({ step, stepMax }: Sweep): Effect.Effect<Duration.Duration, SqlError.SqlError> =>
  Effect.gen(function* () {
    const first = yield* step
    for (let count = first; count === stepMax; count = yield* step) yield* Effect.sleep(rest)
    return first === 0 ? idleInterval : interval
  })

/** Deletes obsolete rows at intervals until interrupted. */
export const sweepForever = (sweep: Sweep): Effect.Effect<void> =>
  Effect.gen(function* () {
    let failures = 0
    const sweepOnce = sweepAll(sweep).pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          failures = 0
        })
      ),
      Effect.catchCause((cause) => {
        failures += 1
        const log = failures === failuresBeforeWarning ? Effect.logWarning : Effect.logDebug
        return Effect.as(log(`${sweep.what} could not be deleted`, cause), interval)
      })
    )
    for (let pause = interval; ; pause = yield* sweepOnce) yield* Effect.sleep(pause)
  })
