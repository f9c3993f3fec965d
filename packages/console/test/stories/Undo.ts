/**
 * Stories about deletes, which can be undone for a few seconds, wherever the user goes in the
 * meantime.
 */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { toastMillis } from "../../page/ui/Words.ts"
import { startProxy } from "../Proxy.ts"
import type { Stage } from "../Stage.ts"
import { stopTheClock, until } from "../Until.ts"
import { holdRequests } from "../Visit.ts"

const rowOf = (page: Page, name: string) =>
  page.getByRole("list", { name: "Jobs" }).getByRole("link", { name })

/** Waits until the server has deleted the job. */
const untilGone = ({ server }: Stage, id: string): Promise<void> =>
  until(async () => (await server.request(`/v1/transcriptions/${id}`)).status === 404)

/** Longer than a released message stays. */
const stepsMillis = 2_000

/** Longer than a page takes to close. */
const slowMillis = 500

/** The name of a job's cancel button in the list. */
const cancelOf = (name: string) => ({ name: `Cancel and delete ${name}`, exact: true })

/** Deletes a job in the list, and pauses the page's clock. */
const deleteLater = async (page: Page, name: string) => {
  await rowOf(page, name).waitFor()
  const steps = await stopTheClock(page)
  await page.getByRole("button", { name: `Delete ${name}` }).click()
  const message = page.getByText(`${name} will be deleted`)
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
      await steps.until(page.getByText("left and back will be deleted"))
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
      assert.match(await message.innerText(), / when this message closes\.$/)
      assert.isTrue(await isThere())
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      await untilGone(stage(), id)
    })
  })

  it("deletes in time while the pointer rests where it clicked, below the message", async () => {
    const id = await stage().transcribe("clicked and left")
    await stage().visit(async (page) => {
      const remove = page.getByRole("button", { name: "Delete clicked and left" })
      const { height = 0, width = 0, x = 0, y = 0 } = (await remove.boundingBox()) ?? {}
      // The message appears at the lower edge of the window, over the button.
      await page.setViewportSize({ width: 1_280, height: Math.ceil(y + height + 30) })
      const steps = await stopTheClock(page)
      await page.mouse.move(x + width / 2, y + height / 2)
      await page.mouse.down()
      await page.mouse.up()
      const message = page.getByText("clicked and left will be deleted")
      await steps.until(message)
      await steps.until(page.locator(".toasts:hover"))
      await page.clock.runFor(toastMillis + stepsMillis)
      await untilGone(stage(), id)
    })
  })

  it("delays the deletion for no longer than a minute or so", async () => {
    const id = await stage().transcribe("pointed at for long")
    await stage().visit(async (page) => {
      await (await deleteLater(page, "pointed at for long")).hover()
      await page.clock.runFor(80_000)
      await untilGone(stage(), id)
    })
  })

  it("cancels a job after the time for undo, but not a job that has just ended", async () => {
    const { engine } = stage().server
    engine.hold()
    const kept = await stage().upload({ callback_id: "ends first" })
    const gone = await stage().upload({ callback_id: "ends never" })
    await stage().visit(async (page) => {
      for (const last of ["Undo", "Dismiss"]) {
        await page.getByRole("button", cancelOf("ends never")).click()
        await page.getByText("ends never will be cancelled and deleted when this").waitFor()
        await rowOf(page, "ends never").waitFor({ state: "detached" })
        await stage().send(`/transcriptions/${gone}`, { method: "GET" })
        await page.getByRole("button", { name: last }).click()
      }
      await untilGone(stage(), gone)
      const requests = await holdRequests(page, "**/v1/transcriptions/*")
      await page.getByRole("button", cancelOf("ends first")).click()
      await page.getByRole("button", { name: "Dismiss" }).click()
      await until(() => requests.count === 1)
      engine.release()
      await stage().until(kept, "COMPLETED")
      requests.release()
      await page.getByText("Not cancelled: the transcription had already ended.").waitFor()
      await rowOf(page, "ends first").waitFor()
      await stage().send(`/transcriptions/${kept}`, { method: "GET" })
    })
  })

  it("does not delete a job that ends while the pointer rests on its cancel button", async () => {
    const { engine } = stage().server
    engine.hold()
    const kept = await stage().upload({ callback_id: "ends meanwhile" })
    await stage().visit(async (page) => {
      const cancel = page.getByRole("button", cancelOf("ends meanwhile"))
      const remove = page.getByRole("button", { name: "Delete ends meanwhile", exact: true })
      await cancel.hover()
      const box = (await cancel.boundingBox()) ?? assert.fail("the button is not shown")
      engine.release()
      await stage().until(kept, "COMPLETED")
      await remove.waitFor()
      assert.deepStrictEqual(await remove.boundingBox(), box)
      await page.mouse.down()
      await page.mouse.up()
      await rowOf(page, "ends meanwhile").waitFor()
      // The second click is deliberate.
      await page.mouse.down()
      await page.mouse.up()
      await page.getByText("ends meanwhile will be deleted").waitFor()
    })
  })

  it("cancels the selected jobs that have not ended, and shows the others again", async () => {
    const { engine } = stage().server
    engine.hold()
    const idOf = (name: string) => stage().upload({ callback_id: name })
    const late = [await idOf("late 1"), await idOf("late 2")]
    await stage().visit(async (page) => {
      const row = page.getByRole("listitem").filter({ hasText: "late 2" })
      await row.getByText("Transcribing").waitFor()
      const early = [await idOf("early 1"), await idOf("early 2")]
      for (const name of ["late 1", "late 2", "early 1", "early 2"]) {
        await page.getByLabel(`Select ${name}`).check()
      }
      // The request arrives only after two of the jobs have ended.
      const requests = await holdRequests(page, "**/v1/transcriptions/actions")
      await page.getByRole("button", { name: "Cancel and delete (4)" }).click()
      await page.getByText("4 jobs will be cancelled and deleted when this message").waitFor()
      await page.getByRole("button", { name: "Dismiss" }).click()
      await until(() => requests.count === 1)
      for (const _ of late) await engine.answer(["Too late."])
      for (const id of late) await stage().until(id, "COMPLETED")
      requests.release()
      for (const id of early) await untilGone(stage(), id)
      await page.getByText("2 refused: Not cancelled: the transcription had").waitFor()
      await page.getByLabel("Select late 1").waitFor()
      for (const id of late) await stage().send(`/transcriptions/${id}`, { method: "GET" })
      engine.say()
      engine.release()
    })
  })

  it("does not delete a job that runs again in the meantime", async () => {
    const { engine } = stage().server
    engine.refuse("no")
    const id = await stage().upload({ callback_id: "run again" })
    await stage().until(id, "FAILED")
    engine.refuse()
    await stage().visit(async (page) => {
      const message = await deleteLater(page, "run again")
      engine.hold()
      await stage().send(`/transcriptions/${id}/retry`)
      await page.clock.runFor(30_000)
      await message.waitFor({ state: "detached" })
      await page.getByText("Not deleted: the job is running again.").waitFor()
      await rowOf(page, "run again").waitFor()
      engine.release()
      await stage().until(id, "COMPLETED")
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
        if (method === "POST") await new Promise((resolve) => setTimeout(resolve, slowMillis))
      }
    })
    await stage().visitAs({ address: `${proxy.address}/console` }, async (page) => {
      await page.getByRole("button", { name: "Delete left alone" }).click()
      await page.close()
      await untilGone(stage(), id)
    })
  })
}
