/** What happens while somebody looks: told at once, or asked for where nothing gets through. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { collected, startProxy } from "../Proxy.ts"
import type { Stage } from "../Stage.ts"
import { goTo } from "../Visit.ts"

/** Seven of the times at which a page asks that is told nothing. */
const longMillis = 15_000

const openJob = (page: Page, id: string): Promise<void> => goTo(page, `/jobs/${id}`)

const countHistories = (page: Page) => {
  const asked = { count: 0 }
  page.on("request", (request) => {
    if (request.url().endsWith("/history")) asked.count += 1
  })
  return asked
}

export const live = (stage: () => Stage): void => {
  it("tells what happens to a job at once, and asks for nothing in between", async () => {
    const { engine } = stage().server
    engine.hold()
    const id = await stage().upload({ callback_id: "told" })
    await stage().until(id, "IN_PROGRESS")
    await stage().visit(async (page) => {
      const asked = countHistories(page)
      await page.clock.install()
      await openJob(page, id)
      await page.getByText("A worker transcribes it").waitFor()
      await page.getByText("Live", { exact: true }).waitFor()
      const before = asked.count
      await page.clock.runFor(longMillis)
      // One that is told everything looks now and then.
      assert.isAtMost(asked.count, before + 1)
      engine.release()
      await page.getByText("All that was asked for is done.").waitFor()
      await stage().server.request(`/v1/transcriptions/${id}`, { method: "DELETE" })
      await page.getByRole("heading", { name: "There is no such job" }).waitFor()
    })
  })

  it("asks again and again behind a proxy that lets no event through", async () => {
    const { engine } = stage().server
    await using proxy = await startProxy(stage().server.address, { passOn: collected })
    engine.hold()
    const id = await stage().upload({ callback_id: "asked for" })
    await stage().until(id, "IN_PROGRESS")
    await stage().visit(
      async (page) => {
        await openJob(page, id)
        await page.getByText("A worker transcribes it").waitFor()
        assert.strictEqual(await page.getByText("Live", { exact: true }).count(), 0)
        engine.release()
        await page.getByText("All that was asked for is done.").waitFor()
      },
      { address: `${proxy.address}/console` }
    )
  })

  it("plays the recording of a job, and hands it out", async () => {
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
