/** Clocks for clients under test: nobody waits for what nobody judges. */

import { silenceMillisMax } from "#src/Events"
import type { Clock } from "#src/Retry"

/** Time that passes in pauses alone, which are kept. */
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

/** What is slept for where nobody falls silent. */
export const forever = new Promise<never>(() => undefined)

/** The time of this machine, where a pause lasts a moment, and nobody falls silent. */
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
