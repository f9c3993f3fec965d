/** Stories about the list of jobs: uploads, progress, filters and deletes. */
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import type { Stage } from "../Stage.ts"
import { assertAccessible, assertAccessibleInBoth } from "../Visit.ts"
import { serveJobs } from "./ManyJobs.ts"

const letter = new URL("../../../adapters/test/media/letter.wav", import.meta.url)

/** Drops a file on the page. */
const drop = async (page: Page, name: string, bytes: Uint8Array): Promise<void> => {
  const transfer = await page.evaluateHandle(
    ([file, values]) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(values)], file, { type: "audio/wav" }))
      return data
    },
    [name, [...bytes]] as const
  )
  await page.dispatchEvent("main", "dragenter", { dataTransfer: transfer })
  await page.getByText("Drop recordings to transcribe them").waitFor()
  await page.dispatchEvent("main", "drop", { dataTransfer: transfer })
}

export const jobs = (stage: () => Stage): void => {
  it("uploads a recording, shows its progress, and undoes a delete", async () => {
    await stage().visit(async (page) => {
      await page.getByRole("heading", { name: "No jobs yet" }).waitFor()
      await assertAccessible(page)
      stage().server.engine.hold()
      await page.getByLabel("Recordings").setInputFiles({
        name: "letter.wav",
        mimeType: "audio/wav",
        buffer: await readFile(letter)
      })
      await page.getByText("letter.wav is being transcribed").waitFor()
      const list = page.getByRole("list", { name: "Jobs" })
      await list.getByText("Transcribing").waitFor()
      stage().server.engine.release()
      await list.getByText("Completed").waitFor()
      await assertAccessibleInBoth(page)
      await list.getByRole("button", { name: /^Delete/ }).click()
      assert.strictEqual(await list.count(), 0)
      await page.getByRole("button", { name: "Undo" }).click()
      await list.getByText("Completed").waitFor()
      await page.keyboard.press("/")
      await page.keyboard.type("no such job")
      await page.getByRole("heading", { name: "No matching jobs" }).waitFor()
      await page.getByLabel("Search jobs").fill("letter")
      await list.getByText("letter.wav").waitFor()
    })
  })

  it("uploads with options that the server refuses or accepts", async () => {
    await stage().visit(async (page) => {
      await page.getByRole("button", { name: "Options…" }).click()
      const form = page.getByRole("dialog")
      await form.getByRole("button", { name: "Transcribe" }).click()
      await form.getByText("Choose a file or enter a URL.").waitFor()
      await assertAccessible(page)
      await form.getByLabel("Recordings").setInputFiles(fileURLToPath(letter))
      await form.getByLabel("Language").selectOption({ label: "German" })
      await form.getByLabel("Summary").selectOption("brief")
      await form.getByLabel("Number of speakers").fill("2")
      await form.getByLabel("Names and terms to expect").fill("Håkansson, Ulm")
      await form.getByLabel("Callback id").fill("with options")
      await form.getByRole("button", { name: "Transcribe" }).click()
      const row = page.getByRole("listitem").filter({ hasText: "with options" })
      await row.getByText("Completed").waitFor()
      const listed = await stage().server.request("/v1/transcriptions?callback_id=with options")
      const [job] = (await listed.json()).data
      assert.strictEqual(job.summary_requested, "brief")
      // These are present only if the request contained speakers and keywords.
      assert.containsAllKeys(job, ["speakers_used", "keywords_used"])
      // The server explains why it refuses a URL.
      await page.getByRole("button", { name: "Options…" }).click()
      await form.getByLabel("Or the URL of a recording").fill("ftp://files.example/a.wav")
      await form.getByRole("button", { name: "Transcribe" }).click()
      await page.getByRole("alert").filter({ hasText: "url" }).waitFor()
    })
  })

  it("searches older jobs before it says that none match", async () => {
    await stage().visit(async (page) => {
      await serveJobs(page, 400)
      await page.reload()
      const list = page.getByRole("list", { name: "Jobs" })
      await list.getByText("Call 400 of many").waitFor()
      await page.getByLabel("Search jobs").fill("Call 7 of")
      await list.getByText("Call 7 of many").waitFor()
      await page.getByLabel("Search jobs").fill("Call 401 of")
      await page.getByText("No job matches the filters.").waitFor()
    })
  })

  it("uploads dropped files, and filters jobs by day and callback id", async () => {
    await stage().transcribe("order 7")
    await stage().visit(async (page) => {
      const list = page.getByRole("list", { name: "Jobs" })
      await list.getByText("order 7").waitFor()
      // Files can be dropped on any screen.
      await page.getByRole("link", { name: "Presets" }).click()
      await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
      await drop(page, "dropped.wav", await readFile(letter))
      await list.getByText("dropped.wav").waitFor()
      await page.keyboard.press("f")
      await page.getByLabel("Exact callback id").fill("order 7")
      await page.keyboard.press("Enter")
      await list.getByText("dropped.wav").waitFor({ state: "detached" })
      await list.getByText("order 7").waitFor()
      await assertAccessible(page)
      await page.getByLabel("From").fill("2999-01-01")
      await page.getByRole("heading", { name: "No matching jobs" }).waitFor()
      assert.match(page.url(), /from=\d{4}-\d\d-\d\d/)
      await page.getByRole("button", { name: "Clear filters" }).first().click()
      await list.getByText("dropped.wav").waitFor()
      await page.getByLabel("Until").fill("2999-01-01")
      await list.getByText("dropped.wav").waitFor()
      await page.getByLabel("Until").fill("2020-01-01")
      await page.getByRole("heading", { name: "No matching jobs" }).waitFor()
      await page.reload()
      await page.getByRole("heading", { name: "No matching jobs" }).waitFor()
      await page.getByRole("button", { name: "Filter (1)", expanded: true }).waitFor()
    })
  })
}
