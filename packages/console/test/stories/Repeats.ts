import { assert, it } from "vitest"
import { startReceiver } from "../Receiver.ts"
import { keys } from "../Server.ts"
import { clickTwice, holdBack } from "../SlowLine.ts"
import type { Stage } from "../Stage.ts"
import { until } from "../Until.ts"
import { goTo } from "../Visit.ts"

const json = { "content-type": "application/json" }

const issueKey = async ({ server }: Stage, name: string): Promise<void> => {
  const body = JSON.stringify({ kind: "inference", name })
  assert.isTrue((await server.request("/v1/keys", { method: "POST", headers: json, body })).ok)
}

export const repeats = (stage: () => Stage): void => {
  it("is one new key in the place of another", async () => {
    await issueKey(stage(), "Turned")
    await stage().visit(async (page) => {
      await goTo(page, "/keys")
      const line = await holdBack(page, "**/rotate")
      const rotate = page.getByRole("button", { name: "Rotate Turned" })
      await rotate.click()
      await rotate.click()
      line.letGo()
      await page.getByRole("heading", { name: "The new key" }).waitFor()
      await page.keyboard.press("Escape")
      await rotate.nth(1).waitFor()
      assert.strictEqual(line.count, 1)
    })
  })

  it("is one more run of a job, and one more request to its receiver", async () => {
    await using receiver = await startReceiver(200)
    const { engine } = stage().server
    const sent = await stage().upload({ callback_id: "sent", callback_url: receiver.url })
    await stage().until(sent, "WEBHOOK_DELIVERED")
    engine.refuse("no")
    const failed = await stage().upload({ callback_id: "failed" })
    await stage().until(failed, "FAILED")
    engine.refuse()
    await stage().visit(async (page) => {
      const runs = await holdBack(page, "**/retry")
      const requests = await holdBack(page, "**/webhook")
      await clickTwice(page.getByRole("button", { name: "Run failed again" }))
      await page.getByRole("link", { name: "failed" }).click()
      await page.getByRole("button", { name: "Run again" }).click()
      await goTo(page, `/jobs/${sent}`)
      await clickTwice(page.getByRole("button", { name: "Deliver again" }))
      runs.letGo()
      requests.letGo()
      await page.getByText("failed runs again.").waitFor()
      await page.getByText("The webhook of sent is sent again.").waitFor()
      assert.strictEqual(await page.locator(".toast.is-fault").count(), 0)
      assert.deepStrictEqual([runs.count, requests.count], [1, 1])
    })
  })

  it("is one change of a workspace, which is shown at once", async () => {
    const { server } = stage()
    const init = { method: "POST", headers: json, body: JSON.stringify({ name: "Twice" }) }
    const { data } = await (await server.request("/v1/workspaces", init, keys.operator)).json()
    const path = `/v1/workspaces/${data.id}`
    const read = async () => (await (await server.request(path, {}, keys.operator)).json()).data
    await stage().visit(
      async (page) => {
        await goTo(page, `/workspaces/${data.id}`)
        const perDay = page.getByLabel("Minutes in a day")
        await perDay.waitFor()
        // Somebody else has changed another limit since.
        const body = JSON.stringify({ limits: { unfinished_jobs: 7 } })
        await server.request(path, { method: "PATCH", headers: json, body }, keys.operator)
        await perDay.fill("90")
        await perDay.press("Enter")
        await page.getByText("The limits hold from now on.").waitFor()
        const { limits } = await read()
        assert.deepStrictEqual([limits.minutes_per_day, limits.unfinished_jobs], [90, 7])
        // Nothing is read again while it is looked at.
        await page.route(`**/api${path}`, (route) =>
          route.request().method() === "GET" ? undefined : route.continue()
        )
        await page.getByRole("button", { name: "Disable" }).click()
        await page.getByText("The workspace is disabled.").waitFor()
        await page.getByRole("button", { name: "Undo" }).click()
        await until(async () => (await read()).status === "active")
        await page.getByRole("button", { name: "Disable" }).waitFor()
      },
      { key: keys.operator }
    )
  })
}
