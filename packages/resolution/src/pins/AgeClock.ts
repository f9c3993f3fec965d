/**
 * A clock for measuring ages, which never runs slower than real time. A monotonic clock can stop
 * while the machine sleeps, and a wall clock can be set, so this clock combines both.
 */

/** The machine's clocks, in milliseconds. */
export interface Clocks {
  /** The monotonic clock, which never decreases and is meaningful only within one process. */
  readonly monotonicMillis: number
  /** The wall clock: milliseconds since 1970, as set on the machine. */
  readonly wallMillis: number
}

/** A reading of both clocks, which is meaningful only within one process. */
export interface Moment {
  /** The difference between two readings is at least the real time between them. */
  readonly forwardMillis: number
  readonly wallMillis: number
}

/** The source of time, which tests can replace. */
export interface PinClock {
  readonly now: () => Clocks
  /** Resolves after the given number of milliseconds, or rejects when the signal aborts. */
  readonly sleep: (millis: number, signal: AbortSignal) => Promise<void>
}

/** The elapsed time: never less than real time, and more if a clock was set forward. */
export const elapsedMillis = (from: Moment, to: Moment): number =>
  to.forwardMillis - from.forwardMillis

/**
 * Maximum difference that is considered jitter. A larger difference is a step of the wall clock.
 */
const jitterMillis = 250

/**
 * Creates a clock that follows the monotonic clock, and adds the time by which the wall clock gets
 * ahead, because the machine may have slept. After the wall clock was set back, gains are measured
 * from the new time.
 */
export const makeForwardClock = (now: PinClock["now"]): (() => Moment) => {
  let gainedMillis = 0
  let furthest: number | undefined
  return () => {
    const { monotonicMillis, wallMillis } = now()
    const lead = wallMillis - monotonicMillis
    const gain = lead - (furthest ?? lead)
    gainedMillis += Math.max(0, gain)
    if (furthest === undefined || gain > 0 || gain < -jitterMillis) furthest = lead
    return { forwardMillis: monotonicMillis + gainedMillis, wallMillis }
  }
}

/** The platform's clocks. */
export const platformClock: PinClock = {
  now: () => ({ monotonicMillis: performance.now(), wallMillis: Date.now() }),
  sleep: (millis, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, millis)
      signal.addEventListener("abort", () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    })
}
