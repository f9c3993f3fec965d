/** Stories about failures in the server, the connection and the browser. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { inPieces, startProxy } from "../Proxy.ts"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { until } from "../Until.ts"
import { goTo, logIn } from "../Visit.ts"

const makeWorkspace = async ({ send }: Stage): Promise<string> => {
  const { data } = await send("/workspaces", { body: { name: "Spare" }, key: keys.operator })
  return data.id
}

const balanceOf = async ({ send }: Stage, id: string): Promise<string> => {
  const { data } = await send(`/workspaces/${id}`, { method: "GET", key: keys.operator })
  return data.balance_minutes
}

/** Removes functions that browsers lack on pages served over plain `http` by another machine. */
const makeInsecure = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined })
    Object.defineProperty(crypto, "randomUUID", { value: undefined })
  })

/**
 * Longer than the silence that the page tolerates on a connection, plus the delay before it
 * reconnects.
 */
const stalledMillis = 50_000

const dayMillis = 86_400_000

export const failures = (stage: () => Stage): void => {
  it("reconnects when a connection stays open but delivers nothing", async () => {
    const connected = { isStalling: false, count: 0 }
    await using proxy = await startProxy(stage().server.address, {
      passOn: (answer, response) => {
        const isEvents = answer.headers["content-type"]?.startsWith("text/event-stream") === true
        if (isEvents && connected.isStalling) connected.count += 1
        if (!isEvents || connected.count !== 1) return inPieces(answer, response)
        // The first bytes arrive, but none after them.
        response.writeHead(200, answer.headers)
        answer.once("data", (chunk) => response.write(chunk))
        return answer.resume()
      }
    })
    await stage().visitAs({ address: `${proxy.address}/console` }, async (page) => {
      await goTo(page, "/presets")
      await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
      await page.clock.install()
      connected.isStalling = true
      await goTo(page, "/jobs")
      await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor()
      // The first bytes and the next connection are both slow, but not silent.
      await until(async () => {
        await page.clock.runFor(stalledMillis)
        return connected.count > 1
      })
    })
  })

  it("adds minutes only once, even if the user clicks twice or the response is lost", async () => {
    const id = await makeWorkspace(stage())
    await stage().visitAs({ key: keys.operator }, async (page) => {
      await makeInsecure(page)
      await goTo(page, `/workspaces/${id}`)
      const add = page.getByRole("button", { name: "Add", exact: true })
      await page.getByLabel("Add minutes").fill("10")
      await add.evaluate((button: HTMLButtonElement) => {
        button.click()
        button.click()
      })
      await page.getByText("10.00 min").waitFor()
      let isLost = true
      await page.route("**/credits", async (route) => {
        const answer = await route.fetch()
        if (isLost) await route.abort()
        else await route.fulfill({ response: answer })
        isLost = false
      })
      await page.getByLabel("Add minutes").fill("5")
      await add.click()
      await page.getByText("The server could not be reached").first().waitFor()
      await add.click()
      await page.getByText("15.00 min").waitFor()
      await page.getByText("5 minutes added.").waitFor()
      assert.strictEqual(await balanceOf(stage(), id), "15.00")
    })
  })

  it("shows only the affected screen as broken when a response is invalid", async () => {
    await stage().visitAs({ key: keys.operator }, async (page) => {
      await page.clock.install()
      await page.route("**/health/ready", (route) => route.fulfill({ json: { detail: "?" } }))
      await goTo(page, "/workspaces")
      await goTo(page, "/work")
      await page.getByText("This screen cannot be shown").waitFor()
      await page.unroute("**/health/ready")
      await page.getByRole("button", { name: "Try again" }).click()
      await page.getByText("Everything that this server needs is available.").waitFor()
      // The first request here, whichever it is, reveals a logout in another window.
      await page.route("**/v1/work", () => undefined)
      await page.context().clearCookies()
      await page.clock.runFor(11_000)
      await page.getByText("Your session has ended").waitFor()
    })
  })

  it("reports that a preset or job was deleted while it was shown", async () => {
    await stage().send("/presets/taken/responses", { body: { model: "any/model" } })
    const id = await stage().transcribe("taken")
    await stage().visit(async (page) => {
      await page.clock.install()
      await goTo(page, "/presets/taken")
      await page.getByRole("article").getByText("any/model").waitFor()
      await stage().send("/presets/taken", { method: "PATCH", body: { status: "archived" } })
      await stage().server.request("/v1/presets/taken", { method: "DELETE" })
      await page.clock.runFor(151_000)
      await page.getByText("This preset has been removed").waitFor()
      await goTo(page, `/jobs/${id}/transcript`)
      await page.getByRole("list", { name: "Transcript" }).waitFor()
      await stage().server.request(`/v1/transcriptions/${id}`, { method: "DELETE" })
      await page.clock.runFor(31_000)
      await page.getByRole("heading", { name: "Job not found", level: 1 }).waitFor()
      await goTo(page, "/jobs/nothing/transcript")
      await page.getByRole("heading", { name: "Job not found" }).waitFor()
    })
  })

  it("shows relative times correctly even if the browser's clock is a day off", async () => {
    await stage().upload({ callback_id: "just now" })
    await stage().visit(async (page) => {
      await page.clock.setSystemTime(Date.now() + dayMillis)
      await page.reload()
      const row = page.getByRole("listitem").filter({ hasText: "just now" })
      await row.getByText(/^now$|(?:sec|min)\. ago/).waitFor()
    })
  })

  it("offers to reload a screen that could not be loaded while the server was down", async () => {
    await stage().visitAs({ isServerKilled: true }, async (page) => {
      // This screen does not poll.
      await goTo(page, "/keys")
      await page.getByText("management · full access").first().waitFor()
      await stage().server.kill()
      await page.getByRole("link", { name: "Usage" }).click()
      await page.getByText("The server does not respond.").waitFor()
      // From here on, the connection stays open without data.
      await page.route("**/api/health", () => undefined, { times: 1 })
      await stage().server.restart()
      await page.getByText("Your session has ended").waitFor()
      await logIn(page, keys.management)
      await page.getByText("This screen could not be loaded.").waitFor()
      await page.getByRole("button", { name: "Try again" }).click()
      await page.getByText(/minutes charged for/).waitFor()
    })
  })
}
