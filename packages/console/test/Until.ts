/** Waits for changes to a page or a server that no test clock can advance. */
import type { Locator, Page } from "playwright-core"
import { assert } from "vitest"

/** Far more attempts than a slow machine needs. */
const triesMax = 5_000

const pauseMillis = 20

/** Polls until a condition is true. */
export const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; !(await is()); tries += 1) {
    assert.isBelow(tries, triesMax)
    await new Promise((resolve) => setTimeout(resolve, pauseMillis))
  }
}

/**
 * How far a page's clock is advanced to render the page. This is far less than the time allowed for
 * undo.
 */
const stepMillis = 20

/**
 * How far ahead a page's clock is paused. The clock cannot go back, so the distance is longer than
 * pausing takes, but too short for the server to seem silent.
 */
export const aheadMillis = 20_000

/**
 * Pauses a page's clock, so that no timer fires on a slow machine. Returns a wait function that
 * advances the clock in small steps.
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
