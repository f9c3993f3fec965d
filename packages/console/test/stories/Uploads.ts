/** Stories about uploads: each recording arrives once, and only for the user who sent it. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { listen } from "../Listener.ts"
import { keys } from "../Server.ts"
import { makeWav } from "../Sound.ts"
import type { Stage } from "../Stage.ts"
import { assertAccessible, holdRequests, logIn } from "../Visit.ts"
import { endSession } from "./Drafts.ts"

const choose = (page: Page, names: ReadonlyArray<string>): Promise<void> =>
  page
    .getByLabel("Recordings")
    .setInputFiles(
      names.map((name) => ({ name, mimeType: "audio/wav", buffer: Buffer.from(makeWav(2)) }))
    )

const list = (page: Page) => page.getByRole("list", { name: "Uploads" })

const countJobs = async ({ server }: Stage, name: string): Promise<number> => {
  const answer = await server.request("/v1/transcriptions?limit=100")
  const { data }: { data: ReadonlyArray<{ filename?: string }> } = await answer.json()
  return data.filter(({ filename }) => filename === name).length
}

export const uploads = (stage: () => Stage): void => {
  it("creates only one job if an upload is retried because its response was lost", async () => {
    await stage().visit(async (page) => {
      let isLost = true
      await page.route("**/v1/transcribe", async (route) => {
        if (!isLost) return route.continue()
        await route.fetch()
        return route.abort()
      })
      await choose(page, ["once.wav"])
      await list(page).getByText("The connection was lost.").waitFor()
      isLost = false
      await list(page).getByRole("button", { name: "Send again once.wav" }).click()
      await page.getByText("once.wav is being transcribed.").waitFor()
      assert.strictEqual(await countJobs(stage(), "once.wav"), 1)
    })
  })

  it("keeps the options if a URL is refused, so that it can be corrected", async () => {
    await using host = await listen((_, response) => response.end(makeWav(2)))
    await stage().visit(async (page) => {
      await page.getByRole("button", { name: "Options…" }).click()
      const form = page.getByRole("dialog")
      await form.getByLabel("Recordings").and(page.locator(":focus")).waitFor()
      const languages = await form.getByLabel("Language").locator("option").allTextContents()
      assert.deepStrictEqual(languages.slice(0, 3), ["Detect", "Afrikaans", "Arabic"])
      assert.isBelow(languages.indexOf("English"), languages.indexOf("German"))
      await form.getByLabel("Language").selectOption("de")
      // The form stays open for the webhook's URL too, although files are sent after it closes.
      const receiver = form.getByLabel("Webhook URL")
      await receiver.fill("hooks.example.com")
      await form.getByLabel("Recordings").setInputFiles({
        name: "never sent.wav",
        mimeType: "audio/wav",
        buffer: Buffer.from(makeWav(2))
      })
      await form.getByRole("button", { name: "Transcribe" }).click()
      await receiver.and(page.locator("[aria-invalid=true]:focus")).waitFor()
      assert.strictEqual(await receiver.inputValue(), "hooks.example.com")
      await form.getByLabel("Recordings").setInputFiles([])
      await receiver.fill("https://hooks.example.com/?a=b")
      const url = form.getByLabel("Or the URL of a recording")
      await url.fill("www.example.com/talk.mp3")
      await page.keyboard.press("Enter")
      await url.and(page.locator("[aria-invalid=true]:focus")).waitFor()
      const field = form
        .locator(".field", { has: page.getByLabel("Or the URL of a recording") })
        .first()
      await field.getByRole("alert").getByText("Invalid 'URL' format.").waitFor()
      await assertAccessible(page)
      assert.strictEqual(await receiver.inputValue(), "https://hooks.example.com/?a=b")
      assert.strictEqual(await form.getByLabel("Language").inputValue(), "de")
      await receiver.fill("")
      await url.fill(`${host.address}/linked talk.wav`)
      await page.keyboard.press("Enter")
      await page.getByText("linked%20talk.wav is being transcribed.").waitFor()
      assert.strictEqual(await form.count(), 0)
      await page.getByRole("link", { name: "linked talk.wav" }).waitFor()
    })
  })

  it("reports that a file can no longer be read", async () => {
    const folder = await mkdtemp(join(tmpdir(), "verbatim-upload-"))
    const path = join(folder, "moved.wav")
    await writeFile(path, makeWav(2))
    await stage().visit(async (page) => {
      const held = await holdRequests(page, "**/v1/transcribe")
      await page.getByLabel("Recordings").setInputFiles(path)
      await list(page).getByText("moved.wav").waitFor()
      await rm(folder, { recursive: true })
      held.release()
      await list(page).getByText("The browser cannot read this file").waitFor()
    })
  })

  it("neither continues nor shows an upload after another user logs in", async () => {
    await stage().visit(async (page) => {
      await page.route("**/v1/transcribe", async (route) => {
        await endSession(page)
        await route.continue()
      })
      await choose(page, ["mine.wav", "mine too.wav"])
      await page.getByText("Your session has ended").waitFor()
      await logIn(page, keys.inference)
      await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor()
      assert.strictEqual(await list(page).count(), 0)
      assert.strictEqual(await countJobs(stage(), "mine too.wav"), 0)
      await page.unroute("**/v1/transcribe")
      await endSession(page)
      await page.getByText("Your session has ended").waitFor()
      await logIn(page, keys.management)
      await list(page).getByText("The session ended before the recording was sent.").waitFor()
      await list(page).getByRole("button", { name: "Send again mine too.wav" }).click()
      await page.getByText("mine too.wav is being transcribed.").waitFor()
    })
  })
}
