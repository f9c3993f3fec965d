/** Removes what has lapsed now and then, beside all requests. */
import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql"

/** Rows that one statement deletes: SQLite takes some milliseconds for them. */
export const sweepMax = 500

/** How often lapsed rows are looked for: they do no harm, but take room. */
const sweepInterval = Duration.minutes(1)

/** The same after a look that found none: most hours of most servers have none. */
const idleInterval = Duration.minutes(10)

/** What lapses. */
export interface Lapsing {
  readonly name: string
  /** Deletes some of it, `sweepMax` rows at most, and returns how many. */
  readonly sweep: Effect.Effect<number, SqlError.SqlError>
}

/** Deletes everything that has lapsed, and returns how long the next may stay. */
const sweepAll = ({ name, sweep }: Lapsing): Effect.Effect<Duration.Duration> =>
  Effect.gen(function* () {
    let isIdle = true
    for (let count = sweepMax; count === sweepMax; isIdle &&= count === 0) count = yield* sweep
    return isIdle ? idleInterval : sweepInterval
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.as(Effect.logDebug(`Lapsed ${name} stay for now`, cause), sweepInterval)
    )
  )

/** Goes on for ever. */
export const sweepForever = (lapsing: Lapsing): Effect.Effect<void> =>
  Effect.gen(function* () {
    for (let pause = sweepInterval; ; pause = yield* sweepAll(lapsing)) yield* Effect.sleep(pause)
  })
