/** Versions that are made: once, and undone over nobody else's work. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { holdBack } from "../SlowLine.ts"
import type { Stage } from "../Stage.ts"
import { goTo } from "../Visit.ts"

const makeVersion = ({ send }: Stage, slug: string, query = ""): Promise<unknown> =>
  send(`/presets/${slug}/responses${query}`, {
    body: { model: "openai/gpt-5-mini", instructions: "One." }
  })

const begin = async (page: Page, slug: string, prompt: string) => {
  await goTo(page, `/presets/${slug}`)
  await page.getByRole("button", { name: "New version", exact: true }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("System prompt").fill(prompt)
  return dialog
}

export const versions = (stage: () => Stage): void => {
  it("are made once, though no answer came, and keep what wins over requests", async () => {
    await makeVersion(stage(), "sent", "?wins=model")
    await stage().visit(async (page) => {
      const dialog = await begin(page, "sent", "Two.")
      let isLost = true
      await page.route("**/api/v1/presets/sent/responses*", async (route) => {
        if (!isLost) return route.continue()
        isLost = false
        await route.fetch()
        return route.abort()
      })
      const send = dialog.getByRole("button", { name: "Stage the version" })
      await send.click()
      await dialog.getByRole("alert").filter({ hasText: /\w/ }).waitFor()
      await send.click()
      await page.getByText("v2 is staged: nobody gets it yet.").waitFor()
      const answer = await stage().server.request("/v1/presets/sent/versions")
      const { data, total_count } = await answer.json()
      assert.deepStrictEqual([total_count, data[1].wins], [2, ["model"]])
    })
  })

  it("leave what is written while one that was sent before is not answered yet", async () => {
    await makeVersion(stage(), "late")
    await stage().visit(async (page) => {
      const dialog = await begin(page, "late", "Two.")
      const prompt = dialog.getByLabel("System prompt")
      const line = await holdBack(page, "**/api/v1/presets/late/responses*")
      await dialog.getByRole("button", { name: "Stage the version" }).click()
      const reopen = async (): Promise<void> => {
        await page.keyboard.press("Escape")
        await page.getByRole("button", { name: "New version", exact: true }).click()
        await prompt.waitFor()
      }
      await reopen()
      await prompt.fill("Three.")
      line.letGo()
      await page.getByText("v2 is staged: nobody gets it yet.").waitFor()
      assert.strictEqual(await dialog.count(), 1)
      await reopen()
      assert.strictEqual(await prompt.inputValue(), "Three.")
    })
  })

  it("wait where they were left", async () => {
    await makeVersion(stage(), "written")
    await stage().visit(async (page) => {
      await goTo(page, "/presets/written")
      const prompt = page.getByRole("dialog").getByLabel("System prompt")
      await page.getByRole("button", { name: "New version", exact: true }).click()
      await prompt.fill("Two.")
      await prompt.press("Escape")
      await page.getByRole("button", { name: "New version", exact: true }).click()
      await page.getByText("This is as you left it before.").waitFor()
      assert.strictEqual(await prompt.inputValue(), "Two.")
      await page.getByRole("button", { name: "Begin anew" }).click()
      assert.strictEqual(await prompt.inputValue(), "One.")
    })
  })
}
