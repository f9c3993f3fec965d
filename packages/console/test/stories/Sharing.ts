/** Stories about several tabs in one browser, which share one event stream. */
import type { Page, Request } from "playwright-core"
import { assert, it } from "vitest"
import type { Stage } from "../Stage.ts"
import { until } from "../Until.ts"
import { addOperatorKey, goTo } from "../Visit.ts"

/** One more tab than the number of HTTP/1.1 connections that a browser opens to a server. */
const tabCount = 7

/** Counts the open event streams across all tabs. */
const countStreams = (page: Page) => {
  const streams = { open: 0 }
  const isStream = (url: string): boolean => url.includes("/transcriptions/events")
  page.context().on("request", (request) => {
    if (isStream(request.url())) streams.open += 1
  })
  const close = (request: Request): void => {
    if (isStream(request.url())) streams.open -= 1
  }
  page.context().on("requestfailed", close)
  page.context().on("requestfinished", close)
  return streams
}

/** Hides or shows a tab, as its browser would. */
const setHidden = (page: Page, isHidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true })
    document.dispatchEvent(new Event("visibilitychange"))
  }, isHidden)

export const sharing = (stage: () => Stage): void => {
  it("shows live jobs in more tabs than a browser has connections", async () => {
    await stage().transcribe("in every tab")
    await stage().visit(async (first) => {
      await goTo(first, "/presets")
      await first.getByRole("heading", { name: "Presets", exact: true }).waitFor()
      const streams = countStreams(first)
      const tabs = [first]
      await goTo(first, "/jobs")
      while (tabs.length < tabCount) {
        const tab = await first.context().newPage()
        await tab.goto(`${stage().server.address}/console/#/jobs`)
        tabs.push(tab)
      }
      const rows = (name: string) =>
        tabs.map((tab) => tab.getByRole("listitem").filter({ hasText: name }))
      for (const row of rows("in every tab")) await row.waitFor()
      await until(() => streams.open === 1)
      await stage().transcribe("news in every tab")
      for (const row of rows("news in every tab")) await row.getByText("Completed").waitFor()
      assert.strictEqual(streams.open, 1)
      // When the tab with the stream is closed, another tab takes over.
      tabs.shift()
      await first.close()
      await stage().transcribe("after a tab was closed")
      for (const row of rows("after a tab was closed")) await row.getByText("Completed").waitFor()
      for (const tab of tabs.slice(1)) await tab.close()
      const [last] = tabs
      assert.isDefined(last)
      await last?.getByText("after a tab was closed").first().waitFor()
    })
  })

  it("keeps no stream open in a hidden tab", async () => {
    await stage().visit(async (page) => {
      await goTo(page, "/presets")
      await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
      const streams = countStreams(page)
      await goTo(page, "/jobs")
      await until(() => streams.open === 1)
      await setHidden(page, true)
      await until(() => streams.open === 0)
      await stage().transcribe("while it was hidden")
      await setHidden(page, false)
      await page.getByRole("listitem").filter({ hasText: "while it was hidden" }).waitFor()
      await until(() => streams.open === 1)
    })
  })

  it("sends at most two requests a minute while a screen is idle", async () => {
    const id = await stage().transcribe("left open")
    await stage().send("/presets/idle/responses", { body: { model: "any/model" } })
    await stage().visit(async (page) => {
      await addOperatorKey(page)
      await page.clock.install()
      const requests = { count: 0, open: new Set<Request>() }
      const isCounted = (request: Request): boolean =>
        /\/v1\/.*(?:presets|labels|corrections|status|work)|\/health/.test(request.url())
      page.on("request", (request) => {
        if (!isCounted(request)) return
        requests.count += 1
        requests.open.add(request)
      })
      const close = (request: Request): void => {
        requests.open.delete(request)
      }
      page.on("requestfinished", close)
      // The page abandons a request whose response is no longer needed.
      page.on("requestfailed", close)
      const paths = {
        "/presets/idle": ".version-line",
        [`/jobs/${id}/transcript`]: ".block",
        "/work": ".chart"
      }
      for (const [path, content] of Object.entries(paths)) {
        await goTo(page, path)
        await page.locator(content).first().waitFor()
        await until(() => requests.open.size === 0)
        requests.count = 0
        await page.clock.runFor(60_000)
        assert.isAtMost(requests.count, 2, path)
      }
    })
  })
}
