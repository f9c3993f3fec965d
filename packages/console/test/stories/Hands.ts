/** The page in the hand: where the focus is, what scrolls, and what the keys do. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import type { Stage } from "../Stage.ts"
import { until } from "../Until.ts"
import { addOperatorKey, goTo, judge } from "../Visit.ts"
import { serveJobs } from "./ManyJobs.ts"

const openMany = async (page: Page) => {
  await goTo(page, "/presets")
  await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
  const served = await serveJobs(page, 250)
  await goTo(page, "/jobs")
  await page.getByText("Call 250 of many").waitFor()
  return served
}

/** Scrolls on by less than what is drawn at once, and waits until that is drawn. */
const scrollOn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    window.scrollTo(0, Math.max(3_000, window.scrollY + 400))
    for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve))
  })

/** Scrolls until a job is there that lies beyond the first page. */
const scrollTo = async (page: Page, name: string) => {
  const link = page.getByRole("link", { name })
  while ((await link.count()) === 0) await scrollOn(page)
  await link.scrollIntoViewIfNeeded()
  return link
}

/** Waits until the page has noted where somebody stands: it does when scrolling rests. */
const untilNoted = (page: Page) => page.waitForFunction(() => history.state?.top === window.scrollY)

const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document
    return element?.getAttribute("aria-label") ?? element?.textContent?.trim() ?? ""
  })

const untilFocused = (page: Page, role: "button" | "link", name: RegExp | string) =>
  page.getByRole(role, { name }).and(page.locator(":focus")).waitFor()

export const hands = (stage: () => Stage): void => {
  it("opens a screen at its top, and goes back to the line that was left", async () => {
    await stage().visit(async (page) => {
      await openMany(page)
      const link = await scrollTo(page, "Call 95 of many")
      const before = (await link.boundingBox())?.y ?? 0
      await link.click()
      await page.getByRole("heading", { name: "There is no such job" }).waitFor()
      assert.strictEqual(await page.evaluate(() => window.scrollY), 0)
      assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "main")
      await page.getByRole("status").getByText("Job", { exact: true }).waitFor()
      await page.goBack()
      await untilFocused(page, "link", "Call 95 of many")
      assert.approximately((await link.boundingBox())?.y ?? 0, before, 2)
      await untilNoted(page)
      await page.reload()
      await link.waitFor()
    })
  })

  it("holds nobody at the place to which he came back", async () => {
    await stage().visit(async (page) => {
      await openMany(page)
      await (await scrollTo(page, "Call 95 of many")).waitFor()
      await untilNoted(page)
      const top = await page.evaluate(() => window.scrollY)
      await page.getByRole("navigation").getByRole("link", { name: "Presets" }).click()
      await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
      await page.goBack()
      await page.waitForFunction((to) => Math.abs(window.scrollY - to) < 2, top)
      // As a hand on the scroll bar does, or a screen reader.
      const stays = await page.evaluate(async () => {
        await new Promise((resolve) => setTimeout(resolve, 700))
        window.scrollTo(0, 500)
        await new Promise((resolve) => setTimeout(resolve, 200))
        return window.scrollY
      })
      assert.strictEqual(stays, 500)
    })
  })

  it("moves nothing from under the pointer when something comes above", async () => {
    await stage().visit(async (page) => {
      const served = await openMany(page)
      const link = await scrollTo(page, "Call 190 of many")
      const before = (await link.boundingBox())?.y ?? 0
      const row = page.getByRole("listitem").filter({ has: link })
      const size = await row.getAttribute("aria-setsize")
      served.count += 7
      // Something happens, so that the list looks.
      await stage().upload({ callback_id: "above" })
      await page.locator(`[aria-setsize]:not([aria-setsize="${size}"])`).first().waitFor()
      assert.approximately((await link.boundingBox())?.y ?? 0, before, 2)
    })
  })

  it("leaves the focus beside what was deleted, and takes it back with a key", async () => {
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

  it("gives the focus back to what opened a dialog, however it closes", async () => {
    await stage().visit(async (page) => {
      await goTo(page, "/keys")
      await page.getByRole("button", { name: "New key" }).press("Enter")
      await page.getByRole("dialog").getByLabel("Name").fill("Door")
      await page.keyboard.press("Escape")
      await untilFocused(page, "button", "New key")
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").getByLabel("Name").fill("Door")
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "The new key" }).waitFor()
      await page.keyboard.press("Escape")
      await untilFocused(page, "button", "New key")
      await page.getByRole("button", { name: "Revoke Door" }).press("Enter")
      await page.getByText("Door is revoked.").waitFor()
    })
  })

  it("lets what was done in a dialog be undone there", async () => {
    const body = { model: "openai/gpt-5-mini", instructions: "One." }
    for (const _ of [1, 2]) await stage().send("/presets/labelled/responses", { body })
    await stage().visit(async (page) => {
      await goTo(page, "/presets/labelled?version=1")
      await page.getByRole("button", { name: "Labels…" }).click()
      await page.getByLabel("A new label").fill("canary")
      await page.getByRole("button", { name: "Point it here" }).click()
      await page.getByText("canary points to v1.").waitFor()
      await judge(page)
      await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click()
      await page.getByText("canary is as it was.").waitFor()
    })
  })

  it("does with its keys what its buttons do, whatever has changed since", async () => {
    await stage().visit(async (page) => {
      await goTo(page, "/presets/labelled?version=1")
      await page.getByRole("button", { name: "Roll back to v1" }).click()
      const versions = page.getByRole("list", { name: "Versions" })
      await versions.getByRole("link", { name: /^v1 ?designated/ }).waitFor()
      await page.keyboard.press("n")
      await page.getByRole("heading", { name: "New version, from v1" }).waitFor()
      await page.keyboard.press("Escape")
      await addOperatorKey(page)
      // The keys of the new screens are there once they are drawn, and the dialog is gone.
      const work = page.getByRole("heading", { name: "Work", exact: true })
      await until(async () => {
        await page.keyboard.press("g")
        await page.keyboard.press("w")
        return (await work.count()) > 0
      })
      assert.notStrictEqual(await focusedName(page), "")
    })
  })
}
