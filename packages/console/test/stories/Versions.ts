/** Versions that are made: once, and undone over nobody else's work. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { goTo, logIn } from "../Visit.ts"
import { endSession } from "./Drafts.ts"

const headers = { "content-type": "application/json" }

const makeVersion = async ({ server }: Stage, slug: string, query = ""): Promise<void> => {
  const body = JSON.stringify({ model: "openai/gpt-5-mini", instructions: "One." })
  const path = `/v1/presets/${slug}/responses${query}`
  const answer = await server.request(path, { method: "POST", headers, body })
  assert.isTrue(answer.ok)
}

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

  it("wait where they were left, for the same key", async () => {
    await makeVersion(stage(), "written")
    await stage().visit(async (page) => {
      await page.clock.install()
      await goTo(page, "/presets/written")
      const prompt = page.getByRole("dialog").getByLabel("System prompt")
      await page.getByRole("button", { name: "New version", exact: true }).click()
      await prompt.fill("Two.")
      await prompt.press("Escape")
      await page.getByRole("button", { name: "New version", exact: true }).click()
      await page.getByText("This is as you left it before.").waitFor()
      assert.strictEqual(await prompt.inputValue(), "Two.")
      await endSession(page)
      await page.getByText("Your session is over").waitFor()
      await logIn(page, keys.management)
      await prompt.waitFor()
      assert.strictEqual(await prompt.inputValue(), "Two.")
      await page.getByRole("button", { name: "Begin anew" }).click()
      assert.strictEqual(await prompt.inputValue(), "One.")
    })
  })
}
