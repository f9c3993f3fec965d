/**
 * A write with an id of its own counts once, however often it arrives. So when its answer is lost,
 * it is written again: the store then tells what became of the first one.
 */
import { Duration, Effect, Schedule } from "effect"

/** Repeats after the first write. With the delays below they span 0.7 s: a caller waits. */
const repeatMax = 3

const repeatDelays = Schedule.exponential(Duration.millis(100))

/** What the failures of a write mean. */
export interface Failures<E> {
  /** Whether the write may have happened although it failed. */
  readonly isLost: (error: E) => boolean
  /** Whether a failure concerns this try alone, and leaves open what became of an earlier one. */
  readonly isSilent: (error: E) => boolean
}

/** Repeats a write while its answer is lost. Its id must make it count once. */
export const makeSettle =
  <E>({ isLost, isSilent }: Failures<E>) =>
  <A, R>(write: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      let lost: E | undefined
      return write.pipe(
        Effect.mapError((error) => {
          if (isLost(error)) lost = error
          return lost !== undefined && isSilent(error) ? lost : error
        }),
        Effect.retry({ while: isLost, times: repeatMax, schedule: repeatDelays })
      )
    })
