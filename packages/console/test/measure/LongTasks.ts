/** How long the page stands still: the tasks of its main thread that take longer than 50 ms. */
import type { CDPSession, Page } from "playwright-core"

/** What somebody did, and the tasks that it took. */
export interface Step {
  readonly what: string
  readonly longestMillis: number
  readonly longCount: number
}

/** Has a page note its long tasks from its first script on. */
export const noteLongTasks = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const noted: Array<number> = []
    Reflect.set(window, "longTasks", noted)
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) noted.push(duration)
    }).observe({ type: "longtask", buffered: true })
  })

/** The tasks are told a moment after they have ended. */
const settleMillis = 400

/** Does something, and tells how long the page stood still meanwhile. */
export const step = async (
  page: Page,
  what: string,
  act: () => Promise<unknown>
): Promise<Step> => {
  await page.evaluate(() => Reflect.get(window, "longTasks").splice(0))
  await act()
  await page.waitForTimeout(settleMillis)
  const tasks: ReadonlyArray<number> = await page.evaluate(() => Reflect.get(window, "longTasks"))
  return { what, longestMillis: Math.max(0, ...tasks), longCount: tasks.length }
}

/** Slows the processor of a page. */
export const slowDown = async (page: Page, rate: number): Promise<CDPSession> => {
  const session = await page.context().newCDPSession(page)
  await session.send("Emulation.setCPUThrottlingRate", { rate })
  return session
}
