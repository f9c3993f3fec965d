/**
 * Stories about successive corrections by one user. Each correction is applied once, on top of the
 * previous one.
 */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import type { Stage } from "../Stage.ts"
import { stopTheClock } from "../Until.ts"
import { clickTwice, goTo, holdRequests } from "../Visit.ts"
import { textOf } from "./TranscriptPage.ts"

/** Opens the transcript of a new job. */
const visitTranscript = async (
  stage: Stage,
  story: (page: Page, id: string) => Promise<void>
): Promise<void> => {
  const id = await stage.transcribe("rewritten")
  await stage.visit(async (page) => {
    await goTo(page, `/jobs/${id}/transcript`)
    await story(page, id)
  })
}

const edit = async (page: Page, text: string): Promise<void> => {
  await page.getByRole("button", { name: "Correct 0:00" }).click()
  await page.getByLabel("Text at 0:00").fill(text)
  await page.keyboard.press("Control+Enter")
}

const rename = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("button", { name: "Rename speaker_0" }).click()
  await page.getByLabel("Name of speaker_0").fill(name)
  await page.keyboard.press("Enter")
}

const versionOf = async ({ server }: Stage, id: string): Promise<number> =>
  (await (await server.request(`/v1/transcriptions/${id}/corrections`)).json()).version

export const correctionOrder = (stage: () => Stage): void => {
  it("wait for the response to a correction, and are undone only once by two clicks", async () => {
    await visitTranscript(stage(), async (page, id) => {
      const recognised = await textOf(stage(), id)
      await page.getByRole("button", { name: "Correct 0:00" }).waitFor()
      await page.keyboard.press("z")
      const advice = page.locator(".toast.is-fault").getByText("Corrections → Restore")
      await advice.waitFor()
      await page.getByRole("button", { name: "Dismiss" }).click()
      await advice.waitFor({ state: "detached" })
      await edit(page, "One.")
      await page.getByText("Corrected.", { exact: true }).waitFor()
      const steps = await holdRequests(page, "**/corrections/current")
      await clickTwice(page.getByRole("button", { name: "Restore version 0" }))
      steps.release()
      await page.getByText("Restored the recognised text.").waitFor()
      assert.strictEqual(await page.locator(".toast.is-fault").count(), 0)
      assert.strictEqual(steps.count, 1)
      const texts = await holdRequests(page, "**/segments")
      await edit(page, "Two.")
      // The second correction is sent before the first gets a response.
      await rename(page, "Ann")
      texts.release()
      await page.getByText("speaker_0 renamed to Ann.").waitFor()
      await page.getByText("Two.").waitFor()
      // Only the newest change offers undo; once it is undone, the change before it does.
      for (const position of [0, 1]) {
        assert.strictEqual(await page.getByRole("button", { name: "Undo" }).count(), 1)
        await page.keyboard.press("z")
        await page.getByText("Undone.").nth(position).waitFor()
      }
      assert.strictEqual(await page.locator(".toast.is-fault").count(), 0)
      assert.strictEqual(await textOf(stage(), id), recognised)
    })
  })

  it("are retried if the response is lost, and can be made again after an undo", async () => {
    await visitTranscript(stage(), async (page, id) => {
      let count = 0
      await page.route("**/segments", async (route) => {
        const response = await route.fetch()
        count += 1
        if (count === 1) await route.abort()
        else await route.fulfill({ response })
      })
      await edit(page, "One.")
      await page.getByText("The server does not respond. Save again in a moment.").waitFor()
      await page.keyboard.press("Control+Enter")
      const said = page.getByText("Corrected.", { exact: true })
      await said.waitFor()
      await clickTwice(page.getByRole("button", { name: "Undo" }))
      await page.getByText("Undone.").waitFor()
      await edit(page, "One.")
      await said.waitFor()
      assert.strictEqual(await page.locator(".toast.is-fault").count(), 0)
      assert.deepStrictEqual([count, await versionOf(stage(), id)], [3, 3])
    })
  })

  it("are saved even if the previous correction never gets a response", async () => {
    await visitTranscript(stage(), async (page) => {
      await page.getByRole("button", { name: "Correct 0:00" }).waitFor()
      await page.route("**/segments", () => undefined)
      const steps = await stopTheClock(page)
      await page.getByRole("button", { name: "Correct 0:00" }).click()
      await steps.until(page.getByLabel("Text at 0:00"))
      await page.getByLabel("Text at 0:00").fill("One.")
      await page.keyboard.press("Control+Enter")
      await page.getByRole("button", { name: "Rename speaker_0" }).click()
      await steps.until(page.getByLabel("Name of speaker_0"))
      await page.getByLabel("Name of speaker_0").fill("Ann")
      await page.keyboard.press("Enter")
      // This wait is long enough for the page to abandon the first save, but not the next one.
      await page.clock.runFor(31_000)
      await steps.until(page.getByText("The server does not respond. Save again in a moment."))
      await steps.until(page.getByText("speaker_0 renamed to Ann."))
      assert.strictEqual(await page.getByLabel("Text at 0:00").inputValue(), "One.")
    })
  })
}
