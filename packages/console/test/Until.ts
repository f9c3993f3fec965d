/** Waits for what a page, or a server, does in its own time, which no clock of a test can move. */
import { assert } from "vitest"

/** Far more than a slow machine needs. */
const triesMax = 5_000

const pauseMillis = 20

/** Asks again and again, until it is so. */
export const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; !(await is()); tries += 1) {
    assert.isBelow(tries, triesMax)
    await new Promise((resolve) => setTimeout(resolve, pauseMillis))
  }
}
