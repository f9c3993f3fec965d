/** Corrections by one hand: each is made once, and over what the one before it made. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { clickTwice, holdBack } from "../SlowLine.ts"
import type { Stage } from "../Stage.ts"
import { stopTheClock } from "../Until.ts"
import { goTo } from "../Visit.ts"

/** Opens the transcript of a job of its own. */
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

export const rewrites = (stage: () => Stage): void => {
  it("is one step back, and a second correction behind the first", async () => {
    await visitTranscript(stage(), async (page) => {
      await edit(page, "One.")
      await page.getByText("Corrected.", { exact: true }).waitFor()
      const steps = await holdBack(page, "**/corrections/current")
      await clickTwice(page.getByRole("button", { name: "Go back to version 0" }))
      steps.letGo()
      await page.getByText("It is as it was recognised.").waitFor()
      assert.strictEqual(await page.locator(".toast.is-fault").count(), 0)
      assert.strictEqual(steps.count, 1)
      const texts = await holdBack(page, "**/segments")
      await edit(page, "Two.")
      // Before that one is answered.
      await rename(page, "Ann")
      texts.letGo()
      await page.getByText("speaker_0 is Ann now.").waitFor()
      await page.getByText("Two.").waitFor()
    })
  })

  it("is a step back that changes nothing any more, and a correction after it", async () => {
    await visitTranscript(stage(), async (page) => {
      await edit(page, "One.")
      const back = page.getByRole("button", { name: "Go back to version 0" })
      for (const count of [1, 2]) {
        await back.click()
        await page
          .getByText("It is as it was recognised.")
          .nth(count - 1)
          .waitFor()
      }
      await edit(page, "Two.")
      await page.getByText("Corrected.").nth(1).waitFor()
    })
  })

  it("is one correction whose answer was lost, and another one that says the same", async () => {
    await visitTranscript(stage(), async (page, id) => {
      let count = 0
      await page.route("**/segments", async (route) => {
        const response = await route.fetch()
        count += 1
        if (count === 1) await route.abort()
        else await route.fulfill({ response })
      })
      await edit(page, "One.")
      await page.getByText("The server does not answer. Save again in a moment.").waitFor()
      await page.keyboard.press("Control+Enter")
      const said = page.getByText("Corrected.", { exact: true })
      await said.waitFor()
      await clickTwice(page.getByRole("button", { name: "Undo" }))
      await page.getByText("It is as it was before.").waitFor()
      await edit(page, "One.")
      await said.waitFor()
      assert.strictEqual(await page.locator(".toast.is-fault").count(), 0)
      assert.deepStrictEqual([count, await versionOf(stage(), id)], [3, 3])
    })
  })

  it("is a correction behind one that nobody answers", async () => {
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
      // Until that one is given up, and less than the next one has.
      await page.clock.runFor(31_000)
      await steps.until(page.getByText("The server does not answer. Save again in a moment."))
      await steps.until(page.getByText("speaker_0 is Ann now."))
      assert.strictEqual(await page.getByLabel("Text at 0:00").inputValue(), "One.")
    })
  })
}
