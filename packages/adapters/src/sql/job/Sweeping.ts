/** Deletes what nobody needs any more, some at a time, now and then, beside all requests. */
import { Duration, Effect } from "effect"
import type { SqlError } from "effect/sql"

/** Rows that one statement deletes: SQLite takes some milliseconds for them. */
export const sweepMax = 500

/** Between two steps, so that others have their turn. */
const rest = Duration.millis(50)

/** How often somebody looks for more: it does no harm, but takes room. */
const interval = Duration.minutes(1)

/** The same after a look that found nothing: most hours of most servers have nothing. */
const idleInterval = Duration.minutes(10)

/** What is deleted in steps. */
export interface Sweep {
  /** The beginning of a sentence: it stays for now where a step fails. */
  readonly what: string
  /** Deletes some of it in one transaction, and returns how much. */
  readonly step: Effect.Effect<number, SqlError.SqlError>
  /** How much a step deletes: one that finds less leaves nothing. */
  readonly stepMax: number
}

/** After as many failures in a row it is told to the operator, once: people's text may be in it. */
const patience = 5

/** Deletes all there is, and returns how long what comes next may stay. */
const sweepAll = ({ step, stepMax }: Sweep): Effect.Effect<Duration.Duration, SqlError.SqlError> =>
  Effect.gen(function* () {
    const first = yield* step
    for (let count = first; count === stepMax; count = yield* step) yield* Effect.sleep(rest)
    return first === 0 ? idleInterval : interval
  })

/** Goes on for ever. */
export const sweepForever = (sweep: Sweep): Effect.Effect<void> =>
  Effect.gen(function* () {
    let failures = 0
    const turn = sweepAll(sweep).pipe(
      Effect.tap(() =>
        Effect.sync(() => {
          failures = 0
        })
      ),
      Effect.catchCause((cause) => {
        failures += 1
        const tell = failures === patience ? Effect.logWarning : Effect.logDebug
        return Effect.as(tell(`${sweep.what} stay for now`, cause), interval)
      })
    )
    for (let pause = interval; ; pause = yield* turn) yield* Effect.sleep(pause)
  })
