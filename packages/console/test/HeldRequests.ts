/** Holds requests back as a slow connection does. */
import type { Locator, Page } from "playwright-core"

/** Holds requests to a URL until they are released, and counts the writes among them. */
export const holdRequests = async (page: Page, url: string) => {
  const released = Promise.withResolvers<void>()
  const held = { count: 0, release: released.resolve }
  await page.route(url, async (route) => {
    if (route.request().method() !== "GET") held.count += 1
    await released.promise
    await route.continue()
  })
  return held
}

/** Clicks twice before the page renders again. */
export const clickTwice = (button: Locator): Promise<void> =>
  button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
