/**
 * Moments and ages. Neither clock of a machine tells ages alone: a monotonic one may stand still
 * while the machine sleeps, and the one on the wall is set forth and back. One is made of both here
 * that goes at least as fast as time.
 */

/** What the clocks of a machine say, in milliseconds. */
export interface Clocks {
  /** Never goes back; it means something within one process only. */
  readonly monotonicMillis: number
  /** Since 1970, as the machine believes. */
  readonly wallMillis: number
}

/** A moment of a process. */
export interface Moment {
  /** Between two moments at least as much passes as really does. */
  readonly forwardMillis: number
  readonly wallMillis: number
}

/** Time, which tests bring along. */
export interface PinClock {
  readonly now: () => Clocks
  /** Ends after so many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (millis: number, signal: AbortSignal) => Promise<void>
}

/** How long ago that was: never less than it really is, and more when a clock was set forth. */
export const elapsedMillis = (from: Moment, to: Moment): number =>
  to.forwardMillis - from.forwardMillis

/** Clocks differ by as much from one look to the next; more is a step of the wall clock. */
const jitterMillis = 250

/**
 * Makes a clock that goes on like the monotonic one, and by whatever the wall clock has gained on
 * it: the machine may have slept as long. When the wall clock is set back, it gains from there on.
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

/** The clocks of the platform. */
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
