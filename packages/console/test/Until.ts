/** Waits for what a page, or a server, does in its own time, which no clock of a test can move. */
import type { Locator, Page } from "playwright-core"
import { assert } from "vitest"

/** Far more than a slow machine needs. */
const triesMax = 5_000

const pauseMillis = 20

/** Asks again and again until something is true. */
export const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; !(await is()); tries += 1) {
    assert.isBelow(tries, triesMax)
    await new Promise((resolve) => setTimeout(resolve, pauseMillis))
  }
}

/** How far the time of a page moves for it to draw: far less than what can be undone waits. */
const stepMillis = 20

/**
 * How far ahead the time of a page is stopped: further than the page gets while it is told so, for
 * its time cannot go back, and not so far that it takes the server for silent.
 */
export const aheadMillis = 20_000

/**
 * Stops the time of a page, so that nothing that waits is done, however slow the machine is. Gives
 * a way to wait for what the page draws, which moves its time in small steps.
 */
export const stopTheClock = async (page: Page) => {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + aheadMillis)
  return {
    until: (seen: Locator): Promise<void> =>
      until(async () => {
        await page.clock.runFor(stepMillis)
        return (await seen.count()) > 0
      })
  }
}
