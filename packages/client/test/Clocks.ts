/** Clocks for the clients that the tests create. */

import { silenceMillisMax } from "#src/Events"
import type { Clock } from "#src/Retry"

/** A clock that advances only during pauses, and records each pause. */
export const makeClock = () => {
  const pauses: Array<number> = []
  let now = 0
  const clock: Clock = {
    nowMillis: () => now,
    chance: () => 1,
    sleep: async (millis, signal) => {
      signal?.throwIfAborted()
      pauses.push(millis)
      now += millis
    }
  }
  return { clock, pauses }
}

/** This sleep never ends, so streams never time out. */
export const forever = new Promise<never>(() => undefined)

/** A clock that runs in real time, but with pauses too short for a stream to time out. */
export const quickClock: Clock = {
  nowMillis: () => performance.now(),
  chance: () => 0,
  sleep: (millis, signal) =>
    millis === silenceMillisMax
      ? forever
      : new Promise((resolve, reject) => {
          setTimeout(() => (signal?.aborted ? reject(signal.reason) : resolve()), 5)
        })
}
