/** Waits for changes of a page or a server that a test clock cannot advance. */
import type { Locator, Page } from "playwright-core"
import { assert } from "vitest"

/** Far more than a slow machine needs. */
const triesMax = 5_000

const pauseMillis = 20

/** Polls until a condition is true. */
export const until = async (is: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; !(await is()); tries += 1) {
    assert.isBelow(tries, triesMax)
    await new Promise((resolve) => setTimeout(resolve, pauseMillis))
  }
}

/** How far the clock of a page is advanced so that it renders: far less than the time for undo. */
const stepMillis = 20

/**
 * How far ahead the clock of a page is paused: further than it runs until then, because it cannot
 * go back, but not so far that the server seems silent.
 */
export const aheadMillis = 20_000

/**
 * Pauses the clock of a page, so that no timer fires on a slow machine. Returns a wait that
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
