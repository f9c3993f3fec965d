/** Stories about input that arrives before the browser or the connection is ready. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import type { Stage } from "../Stage.ts"
import { goTo } from "../Visit.ts"

/** Goes to a screen, focuses an element once it is rendered, and presses a key there. */
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

export const earlyInput = (stage: () => Stage): void => {
  it("can open a dialog again before the browser has fired the dialog's close event", async () => {
    await stage().visit(async (page) => {
      await goTo(page, "/keys")
      await page.getByRole("button", { name: "New key" }).click()
      await page.getByRole("dialog").waitFor()
      await page.evaluate(async () => {
        const dialog = document.querySelector("dialog")
        const closed = new Promise((resolve) => dialog?.addEventListener("close", resolve))
        dialog?.querySelector<HTMLElement>("[aria-label=Close]")?.click()
        // The page renders in between, but the browser has not fired the event yet.
        for (let count = 0; count < 20; count += 1) await Promise.resolve()
        const opener = document.activeElement
        if (opener instanceof HTMLElement) opener.click()
        await closed
      })
      await page.getByRole("dialog").getByLabel("Name").fill("Door")
    })
  })

  it("handles the keys of a screen as soon as the screen is rendered", async () => {
    const id = await stage().transcribe("hasty")
    await stage().visit(async (page) => {
      const path = `/jobs/${id}/transcript`
      await onceDrawn(page, { path, selector: "[data-block]", key: "e" })
      assert.strictEqual(await page.getByLabel("Text at 0:00").count(), 1)
      // The same holds for text typed into a field.
      const field = await page.evaluate(async () => {
        document.querySelector<HTMLElement>("[data-renames]")?.click()
        for (let count = 0; count < 20; count += 1) await Promise.resolve()
        return document.activeElement?.getAttribute("aria-label")
      })
      assert.strictEqual(field, "Name of speaker_0")
    })
  })
}
