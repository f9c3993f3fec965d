/**
 * Stories about deletes, which can be undone for a few seconds, wherever the user goes in the
 * meantime.
 */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { startProxy } from "../Proxy.ts"
import type { Stage } from "../Stage.ts"
import { stopTheClock, until } from "../Until.ts"

const rowOf = (page: Page, name: string) =>
  page.getByRole("list", { name: "Jobs" }).getByRole("link", { name })

/** Waits until the server has deleted the job. */
const untilGone = ({ server }: Stage, id: string): Promise<void> =>
  until(async () => (await server.request(`/v1/transcriptions/${id}`)).status === 404)

/** Longer than a page takes to close. */
const slowMillis = 500

/** Deletes a job in the list, and pauses the page's clock. */
const deleteLater = async (page: Page, name: string) => {
  await rowOf(page, name).waitFor()
  const steps = await stopTheClock(page)
  await page.getByRole("button", { name: `Delete ${name}` }).click()
  const message = page.getByText(`${name} deleted.`)
  await steps.until(message)
  return message
}

export const undo = (stage: () => Stage): void => {
  it("hides a deleted job everywhere, and shows it again after an undo", async () => {
    const id = await stage().transcribe("left and back")
    await stage().visit(async (page) => {
      await rowOf(page, "left and back").click()
      // `exact` excludes the delete buttons in the list's rows, whose labels contain a name.
      const remove = page.getByRole("button", { name: "Delete", exact: true })
      await remove.waitFor()
      // No delete is carried out while the clock is paused.
      const steps = await stopTheClock(page)
      await remove.click()
      await steps.until(page.getByText("left and back deleted."))
      await steps.until(page.getByRole("heading", { name: "Jobs", exact: true }))
      await steps.until(page.locator(".virtual, .empty"))
      assert.strictEqual(await rowOf(page, "left and back").count(), 0)
      // The button is clicked twice before the page renders again.
      await page.getByRole("button", { name: "Undo" }).evaluate((element: HTMLElement) => {
        element.click()
        element.click()
      })
      await steps.until(rowOf(page, "left and back"))
      assert.strictEqual(await page.locator(".toast.is-fault").count(), 0)
      assert.strictEqual((await stage().server.request(`/v1/transcriptions/${id}`)).status, 200)
    })
  })

  it("delays the deletion while the pointer or the focus is on the message", async () => {
    const id = await stage().transcribe("pointed at")
    const isThere = async (): Promise<boolean> =>
      (await stage().server.request(`/v1/transcriptions/${id}`)).ok
    await stage().visit(async (page) => {
      const message = await deleteLater(page, "pointed at")
      await message.hover()
      await page.clock.runFor(30_000)
      await page.getByRole("button", { name: "Undo" }).focus()
      await page.mouse.move(0, 0)
      await page.clock.runFor(30_000)
      assert.isTrue(await message.isVisible())
      assert.isTrue(await isThere())
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      await untilGone(stage(), id)
    })
  })

  it("deletes the job before logout", async () => {
    const id = await stage().transcribe("logged out")
    await stage().visit(async (page) => {
      await page.getByRole("button", { name: "Delete logged out" }).click()
      await page.getByRole("button", { name: "Log out" }).click()
      await page.getByLabel("API key").waitFor()
      await untilGone(stage(), id)
    })
  })

  it("deletes the job when the page is closed, even on a slow connection", async () => {
    const id = await stage().transcribe("left alone")
    await using proxy = await startProxy(stage().server.address, {
      before: async ({ method }) => {
        if (method === "DELETE") await new Promise((resolve) => setTimeout(resolve, slowMillis))
      }
    })
    await stage().visit(
      async (page) => {
        await page.getByRole("button", { name: "Delete left alone" }).click()
        await page.close()
        await untilGone(stage(), id)
      },
      { address: `${proxy.address}/console` }
    )
  })
}
