/** Clocks for clients under test. */

import { silenceMillisMax } from "#src/Events"
import type { Clock } from "#src/Retry"

/** A clock that advances only during pauses, and records them. */
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

/** The sleep never ends, so that streams are never considered silent. */
export const forever = new Promise<never>(() => undefined)

/** A clock with real time and very short pauses, too short for a stream to be considered silent. */
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
