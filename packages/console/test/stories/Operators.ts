/** What operators do: look at the work, make workspaces, give minutes, keys and limits. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { startReceiver } from "../Receiver.ts"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { addOperatorKey, assertFits, judge } from "../Visit.ts"

/** Pixels in which nothing may have to be scrolled to the side (WCAG 2.2, 1.4.10). */
const narrowest = 320

/** More than anybody should owe. */
const many = 12_345_678

/** More than are shown at first. */
const creditCount = 60

/** Credits of the workspace whose key there is, and then a job: their ids. */
const fillTheLedger = async ({ send, server, until, upload }: Stage) => {
  const answer = await server.request("/v1/usage?by=workspace")
  const { data } = await answer.json()
  const workspace: string = data[0].workspace_id
  for (let number = 0; number < creditCount; number += 1) {
    const body = { minutes: 0.01 }
    await send(`/workspaces/${workspace}/credits`, { body, key: keys.operator })
  }
  const job = await upload()
  await until(job, "COMPLETED")
  return { job, workspace }
}

/** Goes to the ledger of a workspace, when it shows the newest lines. */
const openLedger = async (page: Page, workspace: string) => {
  await page.getByRole("link", { name: "Workspaces" }).click()
  await page.locator(`a[href$="/workspaces/${workspace}"]`).click()
  const ledger = page.getByRole("region", { name: "Ledger", exact: true })
  await ledger.getByRole("row").nth(50).waitFor()
  return ledger
}

/** An instant as the page writes it. */
const writtenIn = (page: Page, millis: number): Promise<string> =>
  page.evaluate(
    (at) =>
      new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" }).format(at),
    millis
  )

export const operators = (stage: () => Stage): void => {
  it("shows who works and what is owed", async () => {
    await stage().visit(
      async (page) => {
        await page.getByRole("heading", { name: "Work", exact: true }).waitFor()
        await page.getByText("Alive").waitFor()
        await page.getByText("Everything it needs is there.").waitFor()
        await page.getByText(/^Since .+, at most \d+ at a time$/).waitFor()
        // The answer to what was asked before may still come.
        const asked = page.waitForRequest(/work\/history$/)
        await page.reload()
        // The line begins where the server began to count.
        const answer = await (await asked).response()
        assert(answer !== null)
        const { data } = await answer.json()
        const began = Date.parse(data[0].at)
        assert.isBelow(began, Date.now())
        await page.getByRole("button", { name: "1 day" }).click()
        await page.getByRole("button", { name: "1 day", pressed: true }).waitFor()
        await page.getByText(`Since ${await writtenIn(page, began)}`).waitFor()
        // Whole numbers have no slopes.
        const line = page.locator(".trend-line").first()
        assert.notInclude((await line.getAttribute("d")) ?? "", "L")
        await judge(page)
        await page.keyboard.press("t")
        await judge(page)
      },
      { key: keys.operator }
    )
  })

  it("says so where the queue of before cannot be read", async () => {
    await stage().visit(
      async (page) => {
        await page.getByText(/^Since .+, at most \d+ at a time$/).waitFor()
        const path = "**/api/v1/work/history"
        await page.route(path, (route) =>
          route.fulfill({ status: 404, json: { detail: "Nothing is here." } })
        )
        await page.reload()
        const fault = page.getByText("What was before cannot be read: Nothing is here.")
        await fault.waitFor()
        await judge(page)
        await page.unroute(path)
        await page.getByRole("button", { name: "Try again" }).click()
        await fault.waitFor({ state: "detached" })
      },
      { key: keys.operator }
    )
  })

  it("shows where what is owed goes, on a phone too", async () => {
    await using receiver = await startReceiver(503, "not now")
    const id = await stage().upload({ callback_id: "owed", callback_url: receiver.url })
    const { host } = new URL(receiver.url)
    const shown = async (page: Page): Promise<void> => {
      const lane = page.getByRole("row", { name: `http://${host}` })
      await lane.getByRole("link", { name: /^Workspace / }).waitFor()
      await lane.getByRole("cell", { name: "1", exact: true }).waitFor()
      await judge(page)
    }
    await stage().visit(shown, { key: keys.operator })
    await stage().visit(
      async (page) => {
        await shown(page)
        await assertFits(page)
        await page.setViewportSize({ width: narrowest, height: 800 })
        await assertFits(page)
        await page.route("**/api/v1/work", async (route) => {
          const response = await route.fetch()
          const body = await response.json()
          for (const debt of body.data.owed) Object.assign(debt, { due: many, leased: many })
          await route.fulfill({ response, json: body })
        })
        await page.getByText("12,345,678").first().waitFor()
        await assertFits(page)
        await page
          .getByRole("link", { name: /^Workspace / })
          .first()
          .click()
        await page.getByRole("button", { name: "New key" }).waitFor()
      },
      { key: keys.operator, colorScheme: "dark", width: 390 }
    )
    await stage().server.request(`/v1/transcriptions/${id}`, { method: "DELETE" })
  })

  it("makes a workspace with minutes, a limit and a key, which it shows once", async () => {
    await stage().visit(
      async (page) => {
        await page.getByRole("link", { name: "Workspaces" }).click()
        await page.getByRole("list", { name: "Workspaces" }).waitFor()
        await judge(page)
        await page.keyboard.press("n")
        await page.getByLabel("Name").fill("Customer <i>42</i>")
        await judge(page)
        await page.getByRole("button", { name: "Make the workspace" }).click()
        await page.getByRole("heading", { name: "Customer <i>42</i>" }).waitFor()
        await page.getByLabel("Give minutes").fill("90")
        await page.getByRole("button", { name: "Give", exact: true }).click()
        await page.getByText("90.00 min").waitFor()
        const ledger = page.getByRole("region", { name: "Ledger", exact: true })
        await ledger.getByRole("row", { name: /\+90\.00 Given / }).waitFor()
        await page.getByLabel("Give minutes").fill("-1.5")
        await page.getByRole("button", { name: "Give", exact: true }).click()
        await ledger.getByRole("row").nth(1).getByText("−1.50").waitFor()
        await page.getByLabel("Jobs under way").fill("7")
        await page.getByRole("button", { name: "Save" }).first().click()
        await page.getByText("The limits hold from now on.").waitFor()
        await page.getByRole("button", { name: "New key" }).click()
        await page.getByRole("dialog").getByLabel("Name").fill("Upload service")
        await page.getByRole("button", { name: "Make the key" }).click()
        const secret = await page.locator(".secret").innerText()
        const answer = await stage().server.request("/v1/transcriptions", {}, secret)
        assert.strictEqual(answer.status, 200)
        await page.getByRole("button", { name: "Close" }).click()
        await page.getByRole("button", { name: "Revoke Upload service" }).click()
        await page.getByText("Upload service is revoked.").waitFor()
        await page.getByRole("button", { name: "Undo" }).click()
        await page.getByRole("button", { name: "Revoke Upload service" }).waitFor()
        await judge(page)
        await page.keyboard.press("t")
        await judge(page)
      },
      { key: keys.operator }
    )
  })

  it("lets whoever has both keys use both, and shows keys and usage", async () => {
    await stage().visit(async (page) => {
      await addOperatorKey(page)
      await page.getByRole("link", { name: "Keys" }).click()
      await page.getByText("management · all that its kind may do").waitFor()
      await judge(page)
      await page.getByRole("link", { name: "Usage" }).click()
      await page.getByRole("img", { name: /minutes of/ }).waitFor()
      await page.getByRole("button", { name: "All workspaces" }).click()
      await page.getByRole("heading", { name: "By workspace" }).waitFor()
      await page.getByRole("cell", { name: /^Customer <i>42/ }).waitFor()
      await judge(page)
      await page.keyboard.press("t")
      await judge(page)
      await page.keyboard.press("?")
      await page.getByRole("heading", { name: "Keyboard" }).waitFor()
      await judge(page)
    })
  })

  it("shows a whole ledger, and opens its jobs with a key of their workspace", async () => {
    const { job, workspace } = await fillTheLedger(stage())
    await stage().visit(async (page) => {
      await addOperatorKey(page)
      const ledger = await openLedger(page, workspace)
      const opening = ledger.getByText("+10000.00")
      assert.strictEqual(await opening.count(), 0)
      await ledger.getByRole("button", { name: "Show older lines" }).press("Enter")
      await opening.waitFor()
      await ledger.getByRole("button", { name: "Show older lines" }).waitFor({ state: "hidden" })
      await judge(page)
      await ledger.getByRole("link", { name: job }).press("Enter")
      await page.getByRole("heading", { name: "letter.wav" }).waitFor()
    })
    await stage().visit(
      async (page) => {
        const ledger = await openLedger(page, workspace)
        await ledger.getByText(job).waitFor()
        assert.strictEqual(await ledger.getByRole("link").count(), 0)
      },
      { key: keys.operator }
    )
  })
}
