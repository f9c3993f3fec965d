/**
 * Compares the store's clock with the monotonic clock of this process. When the server's clock is
 * set forward, or another server with another clock takes over, everything that was scheduled
 * before looks due too early. Webhooks then wait until all of it is really due, however small the
 * step: even a small one cuts short a delay that has just begun.
 */
import { Duration } from "effect"

/** One look at both clocks. Its own, in monotonic nanoseconds, before and after the question. */
export interface Look {
  readonly askedAt: bigint
  readonly answeredAt: bigint
  readonly storeMillis: number
}

/** What is known of the store's clock. */
export interface StoreClock {
  /** The store's nanoseconds minus our own are at most this, as measured at that instant. */
  readonly ahead: bigint
  readonly at: bigint
  /** Until then nothing is taken for due on the store's word alone. */
  readonly doubtedUntil: bigint
  /** Since then the two clocks have agreed: since the first look, or the last step forward. */
  readonly steadySince: bigint
}

/** Synchronised clocks gain less: NTP slews by 1 in 2,000. */
const driftPerNano = 1_000n

/** Smaller steps cannot be told from drift. */
const tolerance = Duration.toNanosUnsafe(Duration.millis(250))

/** Nothing is scheduled further ahead by a fixed delay: a lost webhook, 90 s after its start. */
export const doubtMax: Duration.Duration = Duration.seconds(90)

const doubtMaxNanos = Duration.toNanosUnsafe(doubtMax)

const nanosPerMilli = 1_000_000n

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/**
 * The first look, in doubt when the store and the wall clock of this process disagree. If both were
 * set forward together less than `doubtMax` before the start, nothing reveals it, and waiting
 * webhooks go early: doubt at every start would delay all webhooks by as much with each deployment.
 */
export const first = (look: Look, wallMillis: number): StoreClock => {
  const store = BigInt(look.storeMillis) * nanosPerMilli
  const apart = Math.abs(look.storeMillis - wallMillis)
  const isSame = apart <= Duration.toMillis(wallTolerance)
  return {
    ahead: store - look.askedAt,
    at: look.answeredAt,
    steadySince: look.answeredAt,
    doubtedUntil: isSame ? look.answeredAt : look.answeredAt + doubtMaxNanos
  }
}

/** Only the wall clocks of unsynchronised machines differ by more. */
const wallTolerance = Duration.seconds(5)

/** A further look. A step forward is certain when the store is ahead by more than it ever was. */
export const look = (known: StoreClock, seen: Look): StoreClock => {
  const store = BigInt(seen.storeMillis) * nanosPerMilli
  // The store looked at its clock at some instant between the question and the answer.
  const [atLeast, atMost] = [store - seen.answeredAt, store - seen.askedAt]
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

/** Whether work that the store calls due may not be. */
export const isDoubted = ({ doubtedUntil }: StoreClock, now: bigint): boolean => now < doubtedUntil

/** Whether clocks have agreed for that long. */
export const isSteady = (
  known: StoreClock,
  { now, time }: { readonly now: bigint; readonly time: Duration.Duration }
): boolean => !isDoubted(known, now) && now - known.steadySince >= Duration.toNanosUnsafe(time)
