/**
 * Compares the store's clock with the monotonic clock of this process. When the store's clock is
 * set forward, or a server with a different clock takes over, work that was already scheduled seems
 * due too early. Webhooks then wait until all of this work is really due. Even a small step
 * matters, because it shortens a delay that has just begun.
 */
import { type Clock, Duration } from "effect"

/**
 * A reading of both clocks: the store's time, and this process's monotonic nanoseconds before and
 * after the query.
 */
export interface ClockReading {
  readonly sentAt: bigint
  readonly answeredAt: bigint
  readonly storeMillis: number
}

/** An estimate of the store's clock. */
export interface StoreClock {
  /**
   * Maximum number of nanoseconds by which the store's clock can be ahead of ours, as measured at
   * `at`.
   */
  readonly ahead: bigint
  readonly at: bigint
  /** The time until which work that the store returns may not be due yet. */
  readonly doubtedUntil: bigint
  /**
   * The time since which the two clocks have agreed: that of the first reading, or of the last step
   * forward.
   */
  readonly steadySince: bigint
}

/**
 * Maximum clock drift, as one part in this number. Synchronised clocks drift less, because NTP
 * slews by 1 in 2,000.
 */
const driftPerNano = 1_000n

/** Minimum step that is noticed. Smaller steps cannot be distinguished from drift. */
const tolerance = Duration.toNanosUnsafe(Duration.millis(250))

/**
 * How long the clock stays in doubt: the longest fixed delay, because a lost webhook is sent again
 * 90 s after the start of its attempt.
 */
export const doubtMax: Duration.Duration = Duration.seconds(90)

const doubtMaxNanos = Duration.toNanosUnsafe(doubtMax)

const nanosPerMilli = 1_000_000n

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/**
 * Returns the estimate after the first reading. The store's clock is in doubt if it disagrees with
 * this process's wall clock. If both clocks were set forward together less than `doubtMax` before
 * the start, the step goes unnoticed, and waiting webhooks are sent early. Doubting the clock at
 * every start would instead delay all webhooks by `doubtMax` with each deployment.
 */
export const first = (update: ClockReading, wallMillis: number): StoreClock => {
  const store = BigInt(update.storeMillis) * nanosPerMilli
  const apart = Math.abs(update.storeMillis - wallMillis)
  const isSame = apart <= Duration.toMillis(wallTolerance)
  return {
    ahead: store - update.sentAt,
    at: update.answeredAt,
    steadySince: update.answeredAt,
    doubtedUntil: isSame ? update.answeredAt : update.answeredAt + doubtMaxNanos
  }
}

/**
 * Maximum difference between synchronised wall clocks. Only clocks on unsynchronised machines
 * differ by more.
 */
const wallTolerance = Duration.seconds(5)

/**
 * Adds a reading to the estimate. If the store's clock is ahead of this process by more than ever
 * before, it was set forward.
 */
export const update = (known: StoreClock, seen: ClockReading): StoreClock => {
  const store = BigInt(seen.storeMillis) * nanosPerMilli
  // The store read its clock at some time between the query and the response.
  const [atLeast, atMost] = [store - seen.answeredAt, store - seen.sentAt]
  const drifted = known.ahead + (seen.answeredAt - known.at) / driftPerNano
  const step = atLeast - drifted
  return step > tolerance
    ? {
        ahead: atMost,
        at: seen.answeredAt,
        steadySince: seen.answeredAt,
        doubtedUntil: seen.answeredAt + doubtMaxNanos
      }
    : { ...known, ahead: least(drifted, atMost), at: seen.answeredAt }
}

/** Whether work that the store considers due may not be due yet. */
export const isDoubted = ({ doubtedUntil }: StoreClock, now: bigint): boolean => now < doubtedUntil

/** Tracks the store's clock from one reading to the next. */
export const watch = (clock: Clock.Clock) => {
  let known: StoreClock | undefined
  return {
    observe: (seen: ClockReading) => {
      known =
        known === undefined ? first(seen, clock.currentTimeMillisUnsafe()) : update(known, seen)
    },
    isDoubted: () => known !== undefined && isDoubted(known, clock.monotonicTimeNanosUnsafe()),
    /** Whether the clocks have agreed for at least this time. */
    isSteady: (time: Duration.Duration) => {
      const now = clock.monotonicTimeNanosUnsafe()
      if (known === undefined || isDoubted(known, now)) return false
      return now - known.steadySince >= Duration.toNanosUnsafe(time)
    }
  }
}
