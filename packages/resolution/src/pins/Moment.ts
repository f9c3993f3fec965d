/**
 * Moments and ages. Neither clock of a machine tells ages alone: a monotonic one stands still while
 * the machine sleeps, and the one on the wall is set forth and back. The larger of both counts.
 */

/** A moment by both clocks, in milliseconds. */
export interface Moment {
  /** Never goes back; it means something within one process only. */
  readonly monotonicMillis: number
  /** Since 1970, as the machine believes. */
  readonly wallMillis: number
}

/** Time, which tests bring along. */
export interface PinClock {
  readonly now: () => Moment
  /** Ends after so many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (millis: number, signal: AbortSignal) => Promise<void>
}

/** How long ago that was: never less than it really is, and more after the wall clock was set. */
export const elapsedMillis = (from: Moment, to: Moment): number =>
  Math.max(0, to.monotonicMillis - from.monotonicMillis, to.wallMillis - from.wallMillis)

/** Clocks differ by as much from one look to the next; more is a step of the wall clock. */
const jitterMillis = 250

/**
 * A wall clock that was set back hides a sleep of the machine. So each step back that a look finds
 * is undone: the wall clock of these moments goes forth alone.
 */
export const makeForwardClock = (now: PinClock["now"]): PinClock["now"] => {
  let undoneMillis = 0
  let lastLead: number | undefined
  return () => {
    const { monotonicMillis, wallMillis } = now()
    const lead = wallMillis + undoneMillis - monotonicMillis
    const back = (lastLead ?? lead) - lead
    if (back > jitterMillis) undoneMillis += back
    lastLead = Math.max(lead, lastLead ?? lead)
    return { monotonicMillis, wallMillis: wallMillis + undoneMillis }
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
