/** Stories about text that appears as a recording is recognised piece by piece. */
import { assert, it, onTestFinished } from "vitest"
import { collected, startProxy } from "../Proxy.ts"
import { makeWav } from "../Sound.ts"
import type { Stage } from "../Stage.ts"
import { until } from "../Until.ts"
import { assertAccessible, assertFitsAt, countRequests, goTo, holdRequests } from "../Visit.ts"

/** A recording that consists of three pieces, each with a different tone. */
const siren = makeWav(55, (second) => Math.sin(second * second * 20) / 2)

/** Holds the engine until the story ends, whether or not the story passes. */
const holdEngine = (engine: Stage["server"]["engine"]): void => {
  engine.hold()
  onTestFinished(() => {
    engine.say()
    engine.release()
  })
}

export const partialTexts = (stage: () => Stage): void => {
  it("shows text as it is recognised, and the transcript at the end", async () => {
    const { engine } = stage().server
    holdEngine(engine)
    const id = await stage().upload({ callback_id: "siren" }, { name: "siren.wav", bytes: siren })
    await stage().visit(async (page) => {
      // The list of jobs has its own stream, so the story counts from a screen without one.
      await goTo(page, "/presets")
      await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
      const streams = countRequests(page, (url) => url.includes("/transcriptions/events"))
      const partial = countRequests(page, (url) => url.includes("partial=true"))
      const histories = countRequests(page, (url) => url.endsWith("/history"))
      await goTo(page, `/jobs/${id}`)
      await page.getByText("Transcribing since").waitFor()
      await engine.answer(["The first piece."])
      const heard = page.getByRole("region", { name: "Text recognised so far" })
      await heard.getByText("The first piece.").waitFor()
      await page.getByText("The text recognised so far is shown below.").waitFor()
      await page.getByText("1 of 3 pieces recognised").waitFor()
      await assertAccessible(page)
      const before = { partial: partial.count, histories: histories.count }

      await engine.answer(["The second piece."])
      await heard.getByText("The second piece.").waitFor()
      await heard.getByText("The first piece.").waitFor()
      await page.getByText("2 of 3 pieces recognised").waitFor()
      // The text came with the event; the page rereads the job only once a minute.
      assert.strictEqual(partial.count, before.partial)
      assert.isAtMost(histories.count, before.histories + 1)
      assert.strictEqual(streams.count, 1)
      assert.strictEqual(await page.locator("[aria-live]").getByText("piece.").count(), 0)
      await assertFitsAt(page, 360)

      // The transcript's own screen shows the same text, marked as partial.
      const { release } = await holdRequests(page, "**/history")
      await goTo(page, `/jobs/${id}/transcript`)
      await until(async () => (await page.title()).startsWith("siren, transcript"))
      // Until the text is read, the screen does not say that there is none.
      assert.strictEqual(await page.getByText("The transcript is not ready yet.").count(), 0)
      release()
      await page.getByText("Partial", { exact: true }).waitFor()
      await heard.getByText("The first piece.").waitFor()
      await engine.answer(["The third piece."])
      await page.getByRole("list", { name: "Transcript" }).getByText("The third piece.").waitFor()
      await goTo(page, `/jobs/${id}`)
      await page.getByText("Everything requested is done.").waitFor()
      await page.getByText("The first piece. The second piece. The third piece.").waitFor()
      await page.getByText("3 of 3 pieces recognised").waitFor()
      assert.strictEqual(await heard.count(), 0)
    })
  })

  it("shows text as it is recognised even if a proxy blocks events", async () => {
    const { engine } = stage().server
    await using proxy = await startProxy(stage().server.address, { passOn: collected })
    holdEngine(engine)
    const id = await stage().upload({ callback_id: "quiet" }, { name: "quiet.wav", bytes: siren })
    await stage().visitAs({ address: `${proxy.address}/console` }, async (page) => {
      await goTo(page, `/jobs/${id}`)
      const heard = page.getByRole("region", { name: "Text recognised so far" })
      for (const said of ["The first piece.", "The second piece."]) {
        await engine.answer([said])
        await heard.getByText(said).waitFor()
      }
      await page.getByText("2 of 3 pieces recognised").waitFor()
      assert.strictEqual(await page.getByText("Live", { exact: true }).count(), 0)
      // The player stays the same at the end, so that it plays on.
      await page.locator("audio").evaluate((player) => player.setAttribute("data-same", ""))
      await engine.answer(["The third piece."])
      await page.getByText("Everything requested is done.").waitFor()
      await page.locator("audio[data-same]").waitFor()
    })
  })
}
