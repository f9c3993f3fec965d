/** Stories about input that arrives before the browser or the connection is ready. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import type { Stage } from "../Stage.ts"

/** Opens a screen, focuses an element once it is rendered, and presses a key there. */
const onceDrawn = (
  page: Page,
  given: { readonly path: string; readonly selector: string; readonly key: string }
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
    part.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))
  }, given)

export const earlyInput = (stage: () => Stage): void => {
  it("handles a screen's keys as soon as it is rendered", async () => {
    const id = await stage().transcribe("hasty")
    await stage().visit(async (page) => {
      const path = `/jobs/${id}/transcript`
      await onceDrawn(page, { path, selector: "[data-index]", key: "e" })
      assert.strictEqual(await page.getByLabel("Text at 0:00").count(), 1)
      // Text that is typed into a field early is also kept.
      const field = await page.evaluate(async () => {
        document.querySelector<HTMLElement>("[data-renames]")?.click()
        for (let count = 0; count < 20; count += 1) await Promise.resolve()
        return document.activeElement?.getAttribute("aria-label")
      })
      assert.strictEqual(field, "Name of speaker_0")
    })
  })
}
