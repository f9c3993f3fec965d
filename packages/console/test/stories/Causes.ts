/** Stories about failures. The console shows the cause and what the user can do. */
import { assert, it } from "vitest"
import { listen } from "../Listener.ts"
import { keys } from "../Server.ts"
import { makeWav } from "../Sound.ts"
import type { Stage } from "../Stage.ts"
import { assertAccessible, countRequests, goTo } from "../Visit.ts"

/** A server whose recording exists at the first request and is missing afterwards. */
const startForgetfulHost = () => {
  let isSeen = false
  return listen((_, response) => {
    if (isSeen) return response.writeHead(404).end()
    isSeen = true
    return response.writeHead(200, { "content-type": "audio/wav", "content-length": "9" }).end()
  })
}

export const causes = (stage: () => Stage): void => {
  it("shows why the engine refused a recording, in the list and on the job screen", async () => {
    stage().server.engine.refuse("The layout is odd")
    const id = await stage().upload({ callback_id: "odd layout" })
    await stage().until(id, "FAILED")
    stage().server.engine.refuse()
    await stage().visit(async (page) => {
      const row = page.getByRole("listitem").filter({ hasText: "odd layout" })
      await row.getByText("The layout is odd").waitFor()
      await row.getByRole("link").click()
      await page.getByText(/^Failed: .*The layout is odd/).waitFor()
      await assertAccessible(page)
    })
  })

  it("shows that a recording was never fetched, and from which URL", async () => {
    await using host = await startForgetfulHost()
    const url = `${host.address}/speeches/monday.wav`
    const { id } = await stage().send("/transcribe", { body: { url: `${url}?token=secret` } })
    await stage().until(id, "FAILED")
    await stage().visit(async (page) => {
      await goTo(page, `/jobs/${id}`)
      await page.getByText("The recording could not be fetched from its URL").waitFor()
      await page.getByText(url, { exact: true }).waitFor()
      await page.getByText("There is no recording: it was never fetched").waitFor()
      await page.getByText("Fetching the recording").first().waitFor()
      assert.strictEqual(await page.getByText("secret").count(), 0)
    })
  })

  it("does not call a job done if its summary failed, and retries the summary", async () => {
    stage().server.engine.refuse("The context is too long", { path: "/chat/" })
    const recording = { name: "meeting.wav", bytes: makeWav(61) }
    const id = await stage().upload({ callback_id: "no summary", summary: "brief" }, recording)
    await stage().visit(async (page) => {
      await goTo(page, `/jobs/${id}`)
      await page.getByText(/but the summary failed: .*The context is too long/).waitFor()
      await page.getByText("No summary", { exact: true }).waitFor()
      assert.strictEqual(await page.getByText("Everything requested is done").count(), 0)
      stage().server.engine.refuse()
      await page.getByRole("button", { name: "Run the summary again" }).click()
      await page.getByText("Running the summary for no summary again.").waitFor()
      await page.getByText("They met. They left.").waitFor()
      await page.getByText("Everything requested is done").waitFor()
    })
  })

  it("asks for another key once the key is revoked", async () => {
    const body = { kind: "management", name: "gone soon" }
    const { data } = await stage().send("/keys", { body })
    await stage().visitAs({ key: data.token }, async (page) => {
      await goTo(page, "/presets")
      await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
      const other = await page.context().newPage()
      await other.goto(page.url())
      await other.getByRole("heading", { name: "Presets", exact: true }).waitFor()
      const sent = countRequests(other, (url) => url.includes("/api/"))
      const request = { method: "DELETE" }
      await stage().server.request(`/v1/keys/${data.id}`, request, keys.management)
      await goTo(page, "/jobs")
      // Another tab, which sends no requests, learns it from this one.
      await other.getByText("the key was revoked or has expired").waitFor()
      assert.strictEqual(sent.count, 0)
      await page.getByText("the key was revoked or has expired").waitFor()
      await page.getByLabel("API key").waitFor()
      await page.reload()
      await page.getByLabel("API key").waitFor()
      assert.strictEqual(await page.getByRole("navigation").count(), 0)
    })
  })
}
