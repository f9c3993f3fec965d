/** The page in the hand: where the focus is, what scrolls, and what the keys do. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { until } from "../Until.ts"
import { goTo, judge } from "../Visit.ts"

const jobCount = 250

const pageSize = 100

const makeId = (place: number): string =>
  `01900000-0000-7000-8000-${place.toString(16).padStart(12, "0")}`

/** A list of many jobs, which grows at its top when a story says so. */
const serveMany = async (page: Page) => {
  const served = { count: jobCount }
  await page.route("**/api/v1/transcriptions?*", (route) => {
    const query = new URL(route.request().url()).searchParams
    const from = Number(query.get("cursor") ?? served.count)
    const size = Math.min(pageSize, from)
    const data = Array.from({ length: size }, (_, index) => ({
      id: makeId(from - index),
      callback_id: `Call ${from - index} of many`,
      status: "COMPLETED",
      transcription_status: "COMPLETED"
    }))
    const next = from > size ? String(from - size) : null
    return route.fulfill({ json: { data, next_cursor: next } })
  })
  return served
}

const openMany = async (page: Page) => {
  await goTo(page, "/presets")
  await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
  const served = await serveMany(page)
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

/** Goes to a screen, has the focus on a part of it once that is drawn, and presses a key there. */
const onceDrawn = (
  page: Page,
  given: { readonly path: string; readonly selector: string; readonly key?: string }
): Promise<void> =>
  page.evaluate(async ({ key, path, selector }) => {
    const drawn = new Promise<HTMLElement>((resolve) => {
      new MutationObserver((_, observer) => {
        const part = document.querySelector<HTMLElement>(selector)
        if (part === null) return
        observer.disconnect()
        resolve(part)
      }).observe(document.body, { childList: true, subtree: true })
    })
    location.hash = path
    const part = await drawn
    part.focus()
    if (key !== undefined) part.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))
  }, given)

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
    const body = JSON.stringify({ model: "openai/gpt-5-mini", instructions: "One." })
    const init = { method: "POST", headers: { "content-type": "application/json" }, body }
    await stage().server.request("/v1/presets/labelled/responses", init)
    await stage().server.request("/v1/presets/labelled/responses", init)
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
      await page.getByRole("button", { name: "Add an operator key" }).click()
      await page.getByRole("dialog").getByLabel("API key").fill(keys.operator)
      await page.keyboard.press("Enter")
      await page.getByRole("link", { name: "Workspaces" }).waitFor()
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

  it("takes the focus from nobody who goes on as soon as a screen is drawn", async () => {
    await stage().visit(async (page) => {
      await goTo(page, "/keys")
      await page.getByRole("button", { name: "New key" }).waitFor()
      await goTo(page, "/presets")
      await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
      await onceDrawn(page, { path: "/keys", selector: ".card-tools button" })
      await page.getByRole("status").getByText("Keys", { exact: true }).waitFor()
      const button = page.getByRole("button", { name: "New key" })
      assert.strictEqual(await button.and(page.locator(":focus")).count(), 1)
    })
  })

  it("hears the keys of a screen as soon as it is drawn", async () => {
    const id = await stage().upload()
    await stage().until(id, "COMPLETED")
    await stage().visit(async (page) => {
      const path = `/jobs/${id}/transcript`
      await onceDrawn(page, { path, selector: "[data-block]", key: "e" })
      assert.strictEqual(await page.getByLabel("Text at 0:00").count(), 1)
      // So it is with what is written into a field.
      const field = await page.evaluate(async () => {
        document.querySelector<HTMLElement>("[data-renames]")?.click()
        for (let count = 0; count < 20; count += 1) await Promise.resolve()
        return document.activeElement?.getAttribute("aria-label")
      })
      assert.strictEqual(field, "Name of speaker_0")
    })
  })
}
