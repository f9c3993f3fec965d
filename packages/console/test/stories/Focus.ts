/** Stories about focus, scrolling and keyboard use. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import type { Stage } from "../Stage.ts"
import { assertAccessible, goTo } from "../Visit.ts"
import { isList, serveJobs } from "./ManyJobs.ts"

const slowDown = (page: Page, isSlow: (url: URL) => boolean, millis: number): Promise<unknown> =>
  page.route(isSlow, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, millis))
    await route.fallback()
  })

const openMany = async (page: Page) => {
  await goTo(page, "/presets")
  await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
  const served = await serveJobs(page, 250)
  await goTo(page, "/jobs")
  await page.getByText("Call 250 of many").waitFor()
  return served
}

/**
 * Scrolls by less than the page renders at once, and waits for the rendering. At the end of the
 * list, the search starts over, because a slow page may have rendered a row late.
 */
const scrollOn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { scrollHeight } = document.documentElement
    const isEnd = window.scrollY + window.innerHeight >= scrollHeight - 1
    window.scrollTo(0, isEnd ? 3_000 : Math.max(3_000, window.scrollY + 400))
    for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve))
  })

/** Scrolls until a job beyond the first page appears. */
const scrollTo = async (page: Page, name: string) => {
  const link = page.getByRole("link", { name })
  while ((await link.count()) === 0) await scrollOn(page)
  await link.scrollIntoViewIfNeeded()
  return link
}

/** Waits until the page has saved its scroll position, which happens when scrolling pauses. */
const untilSaved = (page: Page) => page.waitForFunction(() => history.state?.top === window.scrollY)

const untilFocused = (page: Page, role: "button" | "link", name: RegExp | string) =>
  page.getByRole(role, { name }).and(page.locator(":focus")).waitFor()

export const focus = (stage: () => Stage): void => {
  it("opens a screen at the top, and returns to the row that the user left", async () => {
    await stage().visit(async (page) => {
      await openMany(page)
      const link = await scrollTo(page, "Call 95 of many")
      const before = (await link.boundingBox())?.y ?? 0
      await link.click()
      await page.getByRole("heading", { name: "Job not found" }).waitFor()
      assert.strictEqual(await page.evaluate(() => window.scrollY), 0)
      assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "main")
      await page.getByRole("status").getByText("Job", { exact: true }).waitFor()
      await page.goBack()
      await untilFocused(page, "link", "Call 95 of many")
      assert.approximately((await link.boundingBox())?.y ?? 0, before, 2)
      await untilSaved(page)
      // The event stream opens while the second page is being read, and the list is reread.
      await slowDown(page, (url) => url.pathname.endsWith("/transcriptions/events"), 1_000)
      await slowDown(page, (url) => isList(url) && url.searchParams.has("cursor"), 3_000)
      await page.reload()
      await link.waitFor()
    })
  })

  it("keeps rows in place when new ones are inserted above", async () => {
    await stage().visit(async (page) => {
      const served = await openMany(page)
      const link = await scrollTo(page, "Call 190 of many")
      const before = (await link.boundingBox())?.y ?? 0
      const row = page.getByRole("listitem").filter({ has: link })
      const size = await row.getAttribute("aria-setsize")
      served.count += 7
      // This change sends an event, so that the list is refreshed.
      await stage().upload({ callback_id: "above" })
      await page.locator(`[aria-setsize]:not([aria-setsize="${size}"])`).first().waitFor()
      assert.approximately((await link.boundingBox())?.y ?? 0, before, 2)
    })
  })

  it("moves the focus to the next row after a delete, and can undo it by keyboard", async () => {
    for (const name of ["first", "second", "third"]) {
      const id = await stage().upload({ callback_id: `${name} by keys` })
      await stage().until(id, "COMPLETED")
    }
    await stage().visit(async (page) => {
      const button = page.getByRole("button", { name: "Delete third by keys" })
      await button.focus()
      await page.keyboard.press("Enter")
      await button.waitFor({ state: "detached" })
      await untilFocused(page, "button", "Delete second by keys")
      await page.keyboard.press("z")
      await button.waitFor()
    })
  })

  it("returns the focus to the button that opened a dialog, however it is closed", async () => {
    await stage().visit(async (page) => {
      await goTo(page, "/keys")
      await page.getByRole("button", { name: "New key" }).press("Enter")
      await page.getByRole("dialog").getByLabel("Name").fill("Door")
      await page.keyboard.press("Escape")
      await untilFocused(page, "button", "New key")
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").getByLabel("Name").and(page.locator(":focus")).waitFor()
      await page.keyboard.type("Door")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Your new key" }).waitFor()
      await page.keyboard.press("Escape")
      await untilFocused(page, "button", "New key")
      await page.getByRole("button", { name: "Revoke Door" }).press("Enter")
      await page.getByRole("button", { name: "Revoke key", exact: true }).press("Enter")
      await page.getByText("Door revoked.").waitFor()
    })
  })

  it("lets the user undo an action in the dialog where it was made", async () => {
    const body = { model: "openai/gpt-5-mini", instructions: "One." }
    for (const _ of [1, 2]) await stage().send("/presets/labelled/responses", { body })
    await stage().visit(async (page) => {
      await goTo(page, "/presets/labelled?version=1")
      await page.getByRole("button", { name: "Labels…" }).click()
      await page.getByLabel("New label").fill("canary")
      await page.getByRole("button", { name: "Point here" }).click()
      await page.getByText("canary points to v1.").waitFor()
      await assertAccessible(page)
      await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click()
      await page.getByText("canary restored.").waitFor()
    })
  })
}
