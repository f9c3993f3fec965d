/** Stories about live changes to a job, through events or, if no events arrive, through polling. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import type { Stage } from "../Stage.ts"
import { countRequests, goTo } from "../Visit.ts"

/** Seven polling intervals for a page that gets no events. */
const longMillis = 15_000

const openJob = (page: Page, id: string): Promise<void> => goTo(page, `/jobs/${id}`)

export const live = (stage: () => Stage): void => {
  it("shows changes to a job immediately, without polling", async () => {
    const { engine } = stage().server
    engine.hold()
    const id = await stage().upload({ callback_id: "live" })
    await stage().until(id, "IN_PROGRESS")
    await stage().visit(async (page) => {
      const requests = countRequests(page, (url) => url.endsWith("/history"))
      await page.clock.install()
      await openJob(page, id)
      await page.getByText("Transcribing since").waitFor()
      await page.getByText("Live", { exact: true }).waitFor()
      const before = requests.count
      await page.clock.runFor(longMillis)
      // Even when events arrive, the page polls occasionally.
      assert.isAtMost(requests.count, before + 1)
      engine.release()
      await page.getByText("Everything requested is done.").waitFor()
      await stage().server.request(`/v1/transcriptions/${id}`, { method: "DELETE" })
      await page.getByRole("heading", { name: "Job not found" }).waitFor()
    })
  })

  it("plays and downloads a job's recording", async () => {
    const id = await stage().upload({ callback_id: "heard" })
    await stage().until(id, "COMPLETED")
    await stage().visit(async (page) => {
      await openJob(page, id)
      await page.getByText("letter.wav · audio/").waitFor()
      const recording = page.getByLabel("Recording letter.wav")
      const seconds = await recording.evaluate(async (audio: HTMLAudioElement) => {
        const known = new Promise((resolve) => audio.addEventListener("loadedmetadata", resolve))
        audio.load()
        void audio.play().catch(() => undefined)
        await known
        return audio.duration
      })
      assert.approximately(seconds, 2, 1)
      const waiting = page.waitForEvent("download")
      await page.getByRole("link", { name: "Download" }).click()
      assert.strictEqual((await waiting).suggestedFilename(), "letter.wav")
    })
  })
}
