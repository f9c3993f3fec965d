/** Waits for what a page, or a server, does in its own time, which no clock of a test can move. */
import type { Locator, Page } from "playwright-core"
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

/** So much time a page gets to draw something: far less than what can be undone waits for. */
const stepMillis = 20

/**
 * Ahead of the time of a page even where telling it takes long, for it goes back to none; and not
 * so far that the page takes the server for silent.
 */
export const aheadMillis = 20_000

/**
 * Stops the time of a page, in which nothing that waits is done, however slow the machine is. What
 * is drawn is drawn in small steps of it.
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
