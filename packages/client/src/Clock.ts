/**
 * Time and chance, which a test brings along.
 */

/** What the client asks of the clock and of chance. */
export interface Clock {
  /** Milliseconds that never go back. */
  readonly nowMillis: () => number
  /** From 0 up to 1. */
  readonly chance: () => number
  /** Ends after so many milliseconds, or rejects with the reason of the signal. */
  readonly sleep: (millis: number, signal: AbortSignal | undefined) => Promise<void>
}

/** Those of the platform. */
export const platformClock: Clock = {
  nowMillis: () => performance.now(),
  chance: () => Math.random(),
  sleep: (millis, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop)
        resolve()
      }, millis)
      signal?.addEventListener("abort", stop, { once: true })
    })
}
