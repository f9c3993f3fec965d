/** A hand that is quicker than the line. */
import type { Locator, Page } from "playwright-core"

/** Holds requests to an address until they are let go, and counts those that write. */
export const holdBack = async (page: Page, url: string) => {
  const held = Promise.withResolvers<void>()
  const line = { count: 0, letGo: held.resolve }
  await page.route(url, async (route) => {
    if (route.request().method() !== "GET") line.count += 1
    await held.promise
    await route.continue()
  })
  return line
}

/** Two clicks before anything is drawn anew. */
export const clickTwice = (button: Locator): Promise<void> =>
  button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
