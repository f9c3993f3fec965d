/**
 * Stories about users who trigger an action again before its response arrives. It runs only once.
 */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { startReceiver } from "../Listener.ts"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { stopTheClock, until } from "../Until.ts"
import { clickTwice, goTo, holdReads, holdRequests } from "../Visit.ts"

/** Holds Enter down, which the keyboard repeats. */
const holdEnter = async (page: Page): Promise<void> => {
  for (let times = 0; times < 4; times += 1) await page.keyboard.down("Enter")
  await page.keyboard.up("Enter")
}

const makeJobs = async ({ until, upload }: Stage, names: ReadonlyArray<string>): Promise<void> => {
  for (const name of names) await until(await upload({ callback_id: name }), "COMPLETED")
}

export const repeatedActions = (stage: () => Stage): void => {
  it("retries a job only once, and redelivers a webhook only once", async () => {
    await using receiver = await startReceiver(200)
    const { engine } = stage().server
    const sent = await stage().upload({ callback_id: "sent", callback_url: receiver.url })
    await stage().until(sent, "WEBHOOK_DELIVERED")
    engine.refuse("no")
    const failed = await stage().upload({ callback_id: "failed" })
    await stage().until(failed, "FAILED")
    engine.refuse()
    await stage().visit(async (page) => {
      const requests = await holdRequests(page, "**/actions")
      await clickTwice(page.getByRole("button", { name: "Run failed again" }))
      await page.getByRole("list").getByRole("link", { name: "failed" }).click()
      await page.getByRole("button", { name: "Run again" }).click()
      await goTo(page, `/jobs/${sent}`)
      await clickTwice(page.getByRole("button", { name: "Deliver again" }))
      requests.release()
      await page.getByText("Running failed again.").waitFor()
      await page.getByText("Sending the webhook for sent again.").waitFor()
      assert.strictEqual(await page.locator(".toast.is-fault").count(), 0)
      assert.strictEqual(requests.count, 2)
    })
  })

  it("deletes only one job, and not the next, which moves up to the same row", async () => {
    await makeJobs(stage(), ["kept", "also kept", "pressed", "clicked"])
    await stage().visit(async (page) => {
      await page.getByRole("link", { name: "clicked" }).waitFor()
      const steps = await stopTheClock(page)
      await page.getByRole("button", { name: "Delete clicked" }).dblclick()
      await steps.until(page.getByText("clicked will be deleted"))
      await page.getByRole("button", { name: "Delete pressed" }).focus()
      await holdEnter(page)
      await steps.until(page.getByText("pressed will be deleted"))
      await steps.until(page.getByRole("link", { name: "also kept" }))
      assert.strictEqual(await page.locator(".toast").count(), 2)
      await page.getByRole("button", { name: "Undo", exact: true }).first().dblclick()
      await steps.until(page.getByRole("link", { name: "clicked" }))
      assert.strictEqual(await page.locator(".toast").count(), 1)
    })
  })

  it("changes a workspace only once, and shows the change immediately", async () => {
    const key = keys.operator
    const { data } = await stage().send("/workspaces", { body: { name: "Twice" }, key })
    const path = `/workspaces/${data.id}`
    const read = async () => (await stage().send(path, { method: "GET", key })).data
    await stage().visitAs({ key }, async (page) => {
      await goTo(page, `/workspaces/${data.id}`)
      const perDay = page.getByLabel("Minutes per day")
      await perDay.waitFor()
      // In the meantime, another operator has changed a different limit.
      const body = { limits: { unfinished_jobs: 7 } }
      await stage().send(path, { method: "PATCH", body, key })
      await perDay.fill("90")
      await perDay.press("Enter")
      await page.getByText("Limits saved.").waitFor()
      const { limits } = await read()
      assert.deepStrictEqual([limits.minutes_per_day, limits.unfinished_jobs], [90, 7])
      // From here on, no read gets a response.
      await holdReads(page, `**/api/v1${path}`)
      await page.getByRole("button", { name: "Disable" }).click()
      await page.getByText("The workspace is disabled.").waitFor()
      await page.getByRole("button", { name: "Undo" }).click()
      await until(async () => (await read()).status === "active")
      await page.getByRole("button", { name: "Disable" }).waitFor()
    })
  })
}
