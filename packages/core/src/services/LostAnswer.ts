/**
 * A write with an id of its own counts once, however often it arrives. So when its answer is lost,
 * it is written again until its deadline: the store then says what became of the first one.
 */
import { Duration, Effect, Schedule } from "effect"
import { type DeadlineOptions, withDeadline } from "../ports/Deadline.ts"

/** Repeats after the first write. With the delays below they span 0.7 s: a caller waits. */
const repeatMax = 3

/** The cause of a failure at the deadline of a write. */
export const overdue = "the store did not answer in time"

const repeatDelays = Schedule.exponential(Duration.millis(100))

/** What the failures of a write mean. */
export interface Failures<E> extends Pick<DeadlineOptions<E>, "late"> {
  /** Whether the write may have happened although it failed. */
  readonly isLost: (error: E) => boolean
  /** Whether a failure concerns this try alone, and leaves open what became of an earlier one. */
  readonly isSilent: (error: E) => boolean
}

/** Repeats a write while its answer is lost, until its deadline. Its id must make it count once. */
export const makeSettle =
  <E>({ isLost, isSilent, late }: Failures<E>) =>
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
    }).pipe(withDeadline({ late }))
