/**
 * Stories about the page's security: read-only keys, markup in text, and requests from other pages.
 */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { startReceiver } from "../Listener.ts"
import type { Stage } from "../Stage.ts"
import { assertAccessible, goTo } from "../Visit.ts"
import { startHost } from "./Attacks.ts"

const markup = [
  `<img src="https://elsewhere.example/x" onerror="alert(1)">`,
  `<script>alert(2)</script>`,
  `"><svg onload=alert(3)>`,
  `javascript:alert(4)`,
  "{{7*7}}"
]

const issueReader = async ({ send }: Stage): Promise<string> => {
  const body = { kind: "inference", scopes: ["transcriptions:read"] }
  return (await send("/keys", { body })).data.token
}

/** Asserts that no text became an element. A script or a request would fail the visit by itself. */
const assertNoElements = async (page: Page): Promise<void> => {
  const made = page.locator("main").locator("img[src], script, svg[onload], a[href^=javascript]")
  assert.strictEqual(await made.count(), 0)
}

export const security = (stage: () => Stage): void => {
  it("hides all write actions from a read-only key", async () => {
    const id = await stage().transcribe("seen")
    const key = await issueReader(stage())
    await stage().visitAs({ key }, async (page) => {
      await page.getByRole("link", { name: "seen" }).waitFor()
      assert.strictEqual(await page.getByRole("button", { name: "Transcribe" }).count(), 0)
      assert.strictEqual(await page.getByRole("button", { name: /Delete|Cancel/ }).count(), 0)
      assert.deepStrictEqual(await page.locator(".nav-link").allInnerTexts(), ["Jobs"])
      await page.getByRole("link", { name: "seen" }).click()
      await page.getByText("Everything requested is done.").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: /Delete|Cancel/ }).count(), 0)
      await page.getByRole("link", { name: "Open transcript" }).click()
      await page.getByText("No corrections yet.").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: /Rename|Correct/ }).count(), 0)
      const status = await page.evaluate(async (job) => {
        const headers = { "x-verbatim-console": "workspace" }
        const path = `api/v1/transcriptions/${job}`
        return (await fetch(path, { method: "DELETE", headers })).status
      }, id)
      assert.strictEqual(status, 403)
    })
  })

  it("never runs markup in names and transcripts", async () => {
    stage().server.engine.say(markup)
    const ids: Array<string> = []
    for (const text of markup) {
      ids.push(await stage().upload({ callback_id: text }, { name: `${text}.wav` }))
    }
    await Promise.all(ids.map((id) => stage().until(id, "COMPLETED")))
    stage().server.engine.say()
    await stage().visit(async (page) => {
      await page.getByText(markup[0] ?? "").waitFor()
      for (const id of ids) {
        await page.goto(`${stage().server.address}/console/#/jobs/${id}`)
        await page.getByText("Everything requested is done.").waitFor()
        await assertNoElements(page)
      }
      // A browser never treats an API response as a page, no matter where the response is opened.
      await page.goto(`${stage().server.address}/console/api/v1/status/${ids[1]}/plain_text`)
      assert.include(await page.locator("body").innerText(), "<script>")
    })
  })

  it("never runs markup in responses from receivers and engines", async () => {
    const { engine } = stage().server
    await using receiver = await startReceiver(400, markup.join(" "))
    const answered = await stage().upload({ callback_url: receiver.url })
    await stage().until(answered, "TRANSCRIBED")
    engine.refuse(markup.join(" "))
    const refused = await stage().upload({})
    await stage().until(refused, "FAILED")
    engine.refuse()
    await stage().visit(async (page) => {
      for (const id of [answered, refused]) {
        await page.goto(`${stage().server.address}/console/#/jobs/${id}`)
        await page.getByText("<script>").first().waitFor()
        await assertNoElements(page)
      }
    })
  })

  it("does not ask for a key if the host refuses the user", async () => {
    await using host = await startHost()
    await stage().visitAs({ address: `${host.address}/console`, key: "" }, async (page) => {
      const refusal = page.getByText("You are not allowed to use this console.")
      await refusal.waitFor()
      assert.strictEqual(await page.getByLabel("API key").count(), 0)
      await assertAccessible(page)
      const other = await page.context().newPage()
      await other.goto(`${host.address}/enter`)
      await page.getByRole("button", { name: "Try again" }).click()
      await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor()
      await page.context().clearCookies()
      // Opens the screen by its address, because the page may be reloading and have no link to
      // click.
      await goTo(page, "/presets")
      await refusal.waitFor()
      assert.strictEqual(await page.getByLabel("API key").count(), 0)
    })
  })

  it("serves only requests from its own page", async () => {
    await stage().visit(async (page) => {
      const [cookie] = await page.context().cookies()
      const statusOf = (path: string, headers: Readonly<Record<string, string>>, method = "GET") =>
        fetch(`${stage().server.address}/console/${path}`, {
          method,
          headers: { cookie: `${cookie?.name}=${cookie?.value}`, ...headers }
        }).then(({ status }) => status)
      const ours = { "x-verbatim-console": "workspace" }
      assert.deepStrictEqual(
        await Promise.all([
          statusOf("api/v1/transcriptions", {}),
          statusOf("api/v1/transcriptions", { "sec-fetch-site": "same-site" }),
          statusOf("api/v1/transcriptions", { origin: "https://elsewhere.example" }),
          statusOf("api/v1/transcriptions", { cookie: "" }),
          statusOf("api/v1/presets/none", {}, "DELETE"),
          statusOf("api/v1/presets/none", ours, "DELETE"),
          statusOf("api/v1/presets/none", { ...ours, "sec-fetch-site": "cross-site" }, "DELETE"),
          statusOf("api/metrics", {}),
          statusOf("session", {}, "DELETE")
        ]),
        [200, 403, 403, 401, 403, 404, 403, 404, 403]
      )
    })
  })
}
