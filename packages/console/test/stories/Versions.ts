/** Stories about new versions: each is created once, and drafts survive. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import type { Stage } from "../Stage.ts"
import { assertAccessible, goTo, holdRequests } from "../Visit.ts"

const makeVersion = ({ send }: Stage, slug: string, query = ""): Promise<unknown> =>
  send(`/presets/${slug}/responses${query}`, {
    body: { model: "openai/gpt-5-mini", instructions: "One." }
  })

const begin = async (page: Page, slug: string, prompt: string) => {
  await goTo(page, `/presets/${slug}`)
  await page.getByRole("button", { name: "New version", exact: true }).click()
  const form = page.getByRole("form", { name: /^New version/ })
  await form.getByLabel("System prompt").fill(prompt)
  return form
}

export const versions = (stage: () => Stage): void => {
  it("are created only once, even if the response is lost, and keep their overrides", async () => {
    await makeVersion(stage(), "sent", "?wins=model")
    await stage().visit(async (page) => {
      const form = await begin(page, "sent", "Two.")
      let isLost = true
      await page.route("**/api/v1/presets/sent/responses*", async (route) => {
        if (!isLost) return route.continue()
        isLost = false
        await route.fetch()
        return route.abort()
      })
      const send = form.getByRole("button", { name: "Stage version" })
      await send.click()
      await form.getByRole("alert").filter({ hasText: /\w/ }).waitFor()
      await send.click()
      await page.getByText("v2 is staged: no request uses it yet.").waitFor()
      const answer = await stage().server.request("/v1/presets/sent/versions")
      const { data, total_count } = await answer.json()
      assert.deepStrictEqual([total_count, data[1].wins], [2, ["model"]])
    })
  })

  it("are compared with the version that another user made live first", async () => {
    await makeVersion(stage(), "contested")
    const user = { kind: "management", name: "Laptop", user: "Ana Costa" }
    const { data: key } = await stage().send("/keys", { body: user })
    await stage().visit(async (page) => {
      const form = await begin(page, "contested", "One.")
      const prompt = form.getByLabel("System prompt")
      await form.getByLabel("Request format").selectOption("Chat completions")
      await form.getByText("Changes to v1, which is live: the request format.").waitFor()
      await prompt.fill("Mine.")
      await form.getByLabel("Stage it").uncheck()
      const body = { model: "openai/gpt-5-mini", instructions: "Theirs." }
      await stage().send("/presets/contested/responses", { body, key: key.token })
      await prompt.press("Control+Enter")
      await form.getByText("v2 is live now").waitFor()
      await prompt.and(page.locator(":focus")).waitFor()
      await form.getByLabel("Edit the settings as JSON").check()
      const settings = form.getByLabel("Settings (JSON)")
      await settings.and(page.locator("[aria-invalid=false]")).waitFor()
      const difference = form.getByRole("region", { name: "Changes to the prompt of v2" })
      await difference.getByText("Theirs.").waitFor()
      await difference.getByRole("link", { name: "v2" }).click()
      await page.getByRole("article", { name: "v2" }).getByText("by Ana Costa").waitFor()
      await page.getByRole("link", { name: "Continue writing" }).click()
      await page.getByRole("heading", { name: "New version from v1" }).waitFor()
      assert.strictEqual(await prompt.inputValue(), "Mine.")
      await form.getByRole("button", { name: "Stage version" }).click()
      await page.getByText("v3 is staged").waitFor()
      await page.getByRole("link", { name: /^v3/ }).and(page.locator(":focus")).waitFor()
    })
  })

  it("keep the current draft while an earlier one is sent", async () => {
    await makeVersion(stage(), "late")
    await stage().visit(async (page) => {
      const form = await begin(page, "late", "Two.")
      const prompt = form.getByLabel("System prompt")
      const held = await holdRequests(page, "**/api/v1/presets/late/responses*")
      await form.getByRole("button", { name: "Stage version" }).click()
      const reopen = async (): Promise<void> => {
        await page.keyboard.press("Escape")
        await page.getByRole("button", { name: "New version", exact: true }).click()
        await prompt.waitFor()
      }
      await reopen()
      await prompt.fill("Three.")
      held.release()
      await page.getByText("v2 is staged: no request uses it yet.").waitFor()
      assert.strictEqual(await form.count(), 1)
      await reopen()
      assert.strictEqual(await prompt.inputValue(), "Three.")
    })
  })

  it("are previewed only while requests can use the preset", async () => {
    await makeVersion(stage(), "paused")
    await stage().visit(async (page) => {
      await goTo(page, "/presets/paused?view=try")
      const copy = page.getByRole("button", { name: "Copy as curl" })
      await copy.waitFor()
      await page.getByRole("button", { name: "Disable" }).click()
      await page.getByText("No request can use this preset while it is disabled.").waitFor()
      assert.strictEqual(await copy.count(), 0)
      await page.getByRole("button", { name: "Activate" }).click()
      await page.getByRole("region", { name: "Resolved request" }).waitFor()
      assert.strictEqual(
        await page.getByRole("main").getByRole("alert").filter({ hasText: /\w/ }).count(),
        0
      )
    })
  })

  it("lose the undo of an action that a later one has overtaken", async () => {
    await makeVersion(stage(), "scratch")
    await stage().visit(async (page) => {
      await goTo(page, "/presets/scratch")
      await page.getByRole("button", { name: "Archive" }).click()
      await page.getByText("scratch is archived.").waitFor()
      await page.getByRole("button", { name: "Remove permanently" }).click()
      await page.getByText("scratch will be removed").waitFor()
      assert.strictEqual(await page.getByText("scratch is archived.").count(), 0)
      await page.getByRole("button", { name: "Undo" }).click()
      const row = page.getByRole("listitem").filter({ hasText: "scratch" })
      await row.getByText("archived").waitFor()
      await row.getByRole("link").click()
      await page.getByRole("button", { name: "Activate" }).click()
      await page.getByText("scratch is active.").waitFor()
      await page.getByRole("link", { name: "Presets", exact: true }).last().click()
      await row.getByText("active", { exact: true }).waitFor()
      // The undo fails, and another user has disabled the preset.
      const body = { status: "disabled" }
      await stage().send("/presets/scratch", { method: "PATCH", body })
      const refusal = { status: 409, json: { detail: "Refused" } }
      await page.route("**/api/v1/presets/scratch", (route) => route.fulfill(refusal))
      await page.getByRole("button", { name: "Undo" }).click()
      await row.getByText("disabled").waitFor()
    })
  })

  it("have settings that are edited by form or as JSON", async () => {
    const body = { temperature: 0.3, top_p: 0.5, reasoning: { effort: "low" }, model: "a/b" }
    await stage().send("/presets/tuned/responses", { body })
    await stage().visit(async (page) => {
      const form = await begin(page, "tuned", "One.")
      const first = form.getByRole("button", { name: /^Remove / }).first()
      assert.strictEqual(await first.getAttribute("aria-label"), "Remove model")
      await form.getByLabel("reasoning (edited as JSON)").and(page.locator("[readonly]")).waitFor()
      const temperature = form.getByLabel("temperature", { exact: true })
      await temperature.fill("")
      await temperature.pressSequentially("0.05")
      assert.strictEqual(await temperature.inputValue(), "0.05")
      await form.getByRole("button", { name: "Remove top_p" }).click()
      await form.getByLabel("New setting").fill("max_output_tokens")
      await form.getByLabel("Value", { exact: true }).fill("9")
      await form.getByLabel("Value", { exact: true }).press("Enter")
      assert.strictEqual(
        await form.getByLabel("max_output_tokens", { exact: true }).inputValue(),
        "9"
      )
      await form.getByText("temperature: 0.3 → 0.05").waitFor()
      await assertAccessible(page)
      await form.getByLabel("Edit the settings as JSON").check()
      const json = form.getByLabel("Settings (JSON)")
      const { top_p, ...kept } = body
      const settings = { ...kept, temperature: 0.05, max_output_tokens: 9 }
      assert.deepStrictEqual(JSON.parse(await json.inputValue()), settings)
      // Invalid JSON is not sent: its field gets the focus.
      await json.fill(`{ "model": `)
      await form.getByRole("button", { name: "Stage version" }).click()
      await json.and(page.locator(":focus")).waitFor()
      await form.getByText("The form needs valid JSON.").waitFor()
      await json.fill(`{ "model": "c" }`)
      await form.getByLabel("Edit the settings as JSON").uncheck()
      assert.strictEqual(await form.getByLabel("model", { exact: true }).inputValue(), "c")
      await form.getByRole("button", { name: "Stage version" }).click()
      await page.getByText("v2 is staged").waitFor()
    })
  })
}
