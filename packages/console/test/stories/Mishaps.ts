/** What goes wrong around the page, and what the page makes of it. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { inPieces, startProxy } from "../Proxy.ts"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { until } from "../Until.ts"
import { goTo, logIn } from "../Visit.ts"

/** A workspace with nothing in it. */
const makeWorkspace = async ({ send }: Stage): Promise<string> => {
  const { data } = await send("/workspaces", { body: { name: "Spare" }, key: keys.operator })
  return data.id
}

const balanceOf = async ({ send }: Stage, id: string): Promise<string> => {
  const { data } = await send(`/workspaces/${id}`, { method: "GET", key: keys.operator })
  return data.balance_minutes
}

/** A browser gives a page over plain `http` from another machine less than one from this one. */
const makeInsecure = (page: Page): Promise<void> =>
  page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined })
    Object.defineProperty(crypto, "randomUUID", { value: undefined })
  })

/** Longer than signs of life may be missing, and than somebody waits to listen again. */
const stalledMillis = 50_000

const dayMillis = 86_400_000

export const mishaps = (stage: () => Stage): void => {
  it("listens again where a connection stays open, and nothing comes any more", async () => {
    const connected = { isStalling: false, count: 0 }
    await using proxy = await startProxy(stage().server.address, {
      passOn: (answer, response) => {
        const isEvents = answer.headers["content-type"]?.startsWith("text/event-stream") === true
        if (isEvents && connected.isStalling) connected.count += 1
        if (!isEvents || connected.count !== 1) return inPieces(answer, response)
        // The first bytes come, and then no others.
        response.writeHead(200, answer.headers)
        answer.once("data", (chunk) => response.write(chunk))
        return answer.resume()
      }
    })
    await stage().visit(
      async (page) => {
        await goTo(page, "/presets")
        await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
        await page.clock.install()
        connected.isStalling = true
        await goTo(page, "/jobs")
        await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor()
        // The first bytes come when they come, and so does the next connection.
        await until(async () => {
          await page.clock.runFor(stalledMillis)
          return connected.count > 1
        })
      },
      { address: `${proxy.address}/console` }
    )
  })

  it("gives minutes once, however often and with whatever answer they are sent", async () => {
    const id = await makeWorkspace(stage())
    await stage().visit(
      async (page) => {
        await makeInsecure(page)
        await goTo(page, `/workspaces/${id}`)
        const give = page.getByRole("button", { name: "Give", exact: true })
        await page.getByLabel("Give minutes").fill("10")
        await give.evaluate((button: HTMLButtonElement) => {
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
        await page.getByLabel("Give minutes").fill("5")
        await give.click()
        await page.getByText("The server could not be reached").first().waitFor()
        await give.click()
        await page.getByText("15.00 min").waitFor()
        await page.getByText("5 minutes were given.").waitFor()
        assert.strictEqual(await balanceOf(stage(), id), "15.00")
      },
      { key: keys.operator }
    )
  })

  it("says so where the browser lets nobody copy", async () => {
    const id = await stage().upload({ callback_id: "copied" })
    await stage().visit(async (page) => {
      await makeInsecure(page)
      await goTo(page, `/jobs/${id}`)
      await page.getByRole("button", { name: `Copy ${id}` }).click()
      await page.getByText("The browser does not let this page copy here").waitFor()
    })
  })

  it("shows a screen whose answer is none of ours as broken, and no other", async () => {
    await stage().visit(
      async (page) => {
        await page.clock.install()
        await page.route("**/health/ready", (route) => route.fulfill({ json: { detail: "?" } }))
        await goTo(page, "/workspaces")
        await goTo(page, "/work")
        await page.getByText("This screen cannot be shown").waitFor()
        await page.unroute("**/health/ready")
        await page.getByRole("button", { name: "Try again" }).click()
        await page.getByText("Everything it needs is there.").waitFor()
        // Whoever logs out in another window is told so here, whatever is asked first.
        await page.route("**/v1/work", () => undefined)
        await page.context().clearCookies()
        await page.clock.runFor(6_000)
        await page.getByText("Your session is over").waitFor()
      },
      { key: keys.operator }
    )
  })

  it("tells that a preset, or a job, was taken away while somebody looks at it", async () => {
    await stage().send("/presets/taken/responses", { body: { model: "any/model" } })
    const id = await stage().transcribe("taken")
    await stage().visit(async (page) => {
      await page.clock.install()
      await goTo(page, "/presets/taken")
      await page.getByRole("article").getByText("any/model").waitFor()
      await stage().send("/presets/taken", { method: "PATCH", body: { status: "archived" } })
      await stage().server.request("/v1/presets/taken", { method: "DELETE" })
      await page.clock.runFor(6_000)
      await page.getByText("This preset was removed meanwhile").waitFor()
      await goTo(page, `/jobs/${id}/transcript`)
      await page.getByRole("list", { name: "What was said" }).waitFor()
      await stage().server.request(`/v1/transcriptions/${id}`, { method: "DELETE" })
      await page.clock.runFor(6_000)
      await page.getByRole("heading", { name: "There is no such job" }).waitFor()
      await goTo(page, "/jobs/nothing/transcript")
      await page.getByRole("heading", { name: "There is no such job" }).waitFor()
    })
  })

  it("tells the time by the server where the clock of the browser is a day off", async () => {
    await stage().upload({ callback_id: "just now" })
    await stage().visit(async (page) => {
      await page.clock.setSystemTime(Date.now() + dayMillis)
      await page.reload()
      const row = page.getByRole("listitem").filter({ hasText: "just now" })
      await row.getByText(/^now$|(?:sec|min)\. ago/).waitFor()
    })
  })

  it("waits for a transcript that is not there yet", async () => {
    const { engine } = stage().server
    engine.hold()
    const id = await stage().upload({ callback_id: "not yet" })
    await stage().until(id, "IN_PROGRESS")
    await stage().visit(async (page) => {
      await page.clock.install()
      await goTo(page, `/jobs/${id}/transcript`)
      await page.getByText("It is not there yet.").waitFor()
      engine.release()
      await stage().until(id, "COMPLETED")
      await page.clock.runFor(6_000)
      await page.getByRole("list", { name: "What was said" }).waitFor()
    })
  })

  it("offers a screen again that could not be fetched while the server was away", async () => {
    await stage().visit(
      async (page) => {
        // A screen that asks for nothing again and again.
        await goTo(page, "/keys")
        await page.getByText("management · all that its kind may do").waitFor()
        await stage().server.kill()
        await page.getByRole("link", { name: "Usage" }).click()
        await page.getByText("The server does not answer.").waitFor()
        // As on a connection that nothing comes from any more.
        await page.route("**/api/health", () => undefined, { times: 1 })
        await stage().server.restart()
        await page.getByText("Your session is over").waitFor()
        await logIn(page, keys.management)
        await page.getByText("This screen could not be fetched.").waitFor()
        await page.getByRole("button", { name: "Try again" }).click()
        await page.getByText("minutes charged").waitFor()
      },
      { isServerKilled: true }
    )
  })
}
