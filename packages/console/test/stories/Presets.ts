/**
 * Stories about presets: search, versions, comparison, preview, staging, rollback, labels,
 * permissions.
 */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { Locator, Page } from "playwright-core"
import { assert, it } from "vitest"
import { toastMillis } from "../../page/ui/Words.ts"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { until } from "../Until.ts"
import { assertAccessible, assertAccessibleInBoth, assertFits, goTo, holdReads } from "../Visit.ts"

/** Markup that would run as a script. */
const markup = `<script>alert(1)</script><img src="https://elsewhere.example/x" onerror="alert(2)">`

/** Creates a preset with two versions, and markup in all of its text. */
const makeNotes = async (stage: Stage, slug = "notes"): Promise<void> => {
  const make = (prompt: string, more: object) =>
    stage.send(`/presets/${slug}/responses?comment=${encodeURIComponent(markup)}`, {
      body: { model: "openai/gpt-5-mini", instructions: prompt, ...more }
    })
  await make(`Write short minutes.\n${markup}\nBe kind.`, { temperature: 0.7 })
  await make(`Write long minutes.\n${markup}\nBe kind.`, { temperature: 0.2 })
  await stage.send(`/presets/${slug}/labels/production`, { method: "PUT", body: { version: 1 } })
  const body = { name: `Notes ${markup}`, description: markup }
  await stage.send(`/presets/${slug}`, { method: "PATCH", body })
}

/** Milliseconds after which an action can no longer be undone. */
const undoMillis = toastMillis + 500

/** Double-clicks, with a pause for `between` before the second click. */
const clickAgainAfter = async (
  page: Page,
  button: Locator,
  between: () => Promise<void>
): Promise<void> => {
  await button.hover()
  for (const clickCount of [1, 2]) {
    await page.mouse.down({ clickCount })
    await page.mouse.up({ clickCount })
    if (clickCount === 1) await between()
  }
}

export const presets = (stage: () => Stage): void => {
  it("creates the first preset, and finds it in the list", async () => {
    await stage().visit(async (page) => {
      await goTo(page, "/presets")
      await page.getByRole("heading", { name: "No presets yet" }).waitFor()
      await assertAccessible(page)
      await page.getByRole("button", { name: "Create a preset" }).click()
      await page.getByLabel("Slug").fill("titles")
      await page.getByLabel("System prompt").fill("One line.")
      await page.getByLabel("Edit the settings as JSON").check()
      await page.getByLabel("Settings (JSON)").fill(`{ "model": "openai/gpt-5-nano", "user": "u" }`)
      await page.getByText("is not kept").waitFor()
      await assertAccessible(page)
      await page.getByRole("button", { name: "Create preset" }).click()
      await page.getByRole("heading", { name: "titles" }).waitFor()
      const activate = page.getByRole("button", { name: "Activate" })
      await clickAgainAfter(page, page.getByRole("button", { name: "Disable" }), () =>
        activate.waitFor()
      )
      await makeNotes(stage())
      await goTo(page, "/presets")
      await page.getByText("Notes <script>").waitFor()
      const notes = page.getByRole("listitem").filter({ hasText: "Notes <script>" })
      for (const text of ["2 versions", "live v2", "production v1", /v2 by Key /, /^changed/]) {
        await notes.getByText(text).waitFor()
      }
      const row = page.getByRole("listitem").filter({ hasText: "titles" })
      await row.getByText("disabled").waitFor()
      await page.getByLabel("Search presets").fill("title")
      await page.getByText("Notes <script>").waitFor({ state: "detached" })
      await page.getByLabel("Search presets").fill("nowhere")
      await page.getByRole("button", { name: "Show all presets" }).click()
      await page.getByLabel("Label", { exact: true }).fill("production")
      await page.getByRole("link", { name: "titles" }).waitFor({ state: "detached" })
      await assertAccessibleInBoth(page)
    })
  })

  it("stages a version, makes it live, rolls back, and undoes each step", async () => {
    await stage().visit(async (page) => {
      await goTo(page, "/presets/notes")
      const list = page.getByRole("list", { name: "Versions" })
      await list.getByText("v2").waitFor()
      await assertAccessible(page)
      await page.getByRole("button", { name: "New version", exact: true }).click()
      await page.getByLabel("System prompt").fill("Write no minutes.")
      await page.getByText("Changes to v2, which is live: the prompt.").waitFor()
      await page.getByLabel("System prompt").fill("Write {{no minutes}}.")
      await page.getByText("Not a variable: {{no minutes}}").waitFor()
      await page.getByLabel("System prompt").fill("Write no minutes.")
      await page.getByRole("region", { name: "Changes to the prompt" }).waitFor()
      assert.isAbove((await page.getByLabel("System prompt").boundingBox())?.height ?? 0, 400)
      await assertAccessible(page)
      await page.getByRole("button", { name: "Stage version" }).click()
      await page.getByText("v3 is staged").waitFor()
      await page.getByRole("button", { name: "Make v3 live" }).click()
      await page.getByText("v3 is live.").waitFor()
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText("v2 is live again.").waitFor()
      await list.getByRole("link", { name: /^v1/ }).click()
      await page.getByRole("button", { name: "Roll back to v1" }).click()
      await page.getByText("v1 is live.").waitFor()
      await goTo(page, "/presets/notes?view=history")
      await page.getByRole("button", { name: "Roll back to v2" }).click()
      await page.getByText("notes: v2 is live.", { exact: true }).waitFor()
      await page.getByRole("list", { name: "Live over time" }).waitFor()
      await page.getByRole("link", { name: "rolled back from v2 to v1" }).first().waitFor()
      await assertAccessibleInBoth(page)
    })
  })

  it("does not overwrite another user's change", async () => {
    await stage().visit(async (page) => {
      await goTo(page, "/presets/notes?version=3")
      await page.getByRole("button", { name: "Make v3 live" }).waitFor()
      // The page polls, so the story delays its reads, as a slow connection would.
      await holdReads(page, "**/api/v1/presets/notes")
      await stage().send("/presets/notes/designated-version", {
        method: "PUT",
        body: { version: 1 }
      })
      await page.getByRole("button", { name: "Make v3 live" }).click()
      await page.getByText("Someone else changed this preset first").waitFor()
      await page.unroute("**/api/v1/presets/notes")
      await page.reload()
      await page.getByRole("button", { name: "Make v3 live" }).waitFor()
      const answer = await stage().server.request("/v1/presets/notes")
      const { data } = await answer.json()
      assert.strictEqual(data.designated_version.version, 1)
    })
  })

  it("makes the previous version live again after undo, even on a slow connection", async () => {
    await stage().visit(async (page) => {
      await goTo(page, "/presets/notes?version=3")
      const button = page.getByRole("button", { name: "Make v3 live" })
      await button.waitFor()
      await holdReads(page, "**/api/v1/presets/notes")
      // The write is made twice, because the second write depends on the state that the first one
      // leaves.
      for (const _ of [1, 2]) {
        await button.dblclick()
        await page.getByText("v3 is live.").waitFor()
        await button.waitFor({ state: "detached" })
        await page.getByRole("button", { name: "Undo" }).click()
        await button.waitFor()
      }
      assert.strictEqual(await page.getByText("Someone else changed this preset first").count(), 0)
    })
  })

  it("compares two versions, and previews a request with both", async () => {
    await makeNotes(stage(), "compared")
    await stage().visitAs({ width: 360, height: 740 }, async (page) => {
      await goTo(page, "/presets/compared?view=compare&from=1&to=2")
      await page.getByText("temperature").waitFor()
      assert.strictEqual(await page.locator("del", { hasText: "short" }).count(), 1)
      assert.strictEqual(await page.locator("ins", { hasText: "long" }).count(), 1)
      await assertAccessibleInBoth(page)
      await assertFits(page)
      await goTo(page, "/presets/compared?view=try&a=production&b=2")
      await page
        .getByRole("textbox", { name: "Request" })
        .fill(`{ "input": "Hi", "temperature": 1 }`)
      const resolved = page.getByRole("region", { name: "Resolved request" })
      await resolved.getByText("from the request").nth(1).waitFor()
      assert.strictEqual(await resolved.getByText("differs").count(), 1)
      await assertAccessibleInBoth(page)
      await assertFits(page)
      // Another label takes the place of the one that is shown, at the same version.
      const body = { version: 1 }
      await stage().send("/presets/compared/labels/production", { method: "DELETE" })
      await stage().send("/presets/compared/labels/stable", { method: "PUT", body })
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
      await page.getByRole("button", { name: "Try again" }).first().waitFor()
    })
  })

  it("fills in variables in the preview, and copies the request as it is written", async () => {
    const body = { instructions: "Greet {{name}} of {{place}}." }
    await stage().send("/presets/greeting/responses", { body })
    await stage().visit(async (page) => {
      let pins = 0
      page.on("request", (request) => {
        if (request.url().includes("/greeting/pin")) pins += 1
      })
      const refusal = { status: 422, json: { detail: "Refused" } }
      await page.route("**/greeting/resolve*", (route) => route.fulfill(refusal), { times: 1 })
      await goTo(page, "/presets/greeting?view=try")
      // The fields do not depend on the first result.
      await page.getByRole("button", { name: "Try again" }).waitFor()
      await page.getByLabel("Value of name").waitFor()
      await page.getByRole("button", { name: "Try again" }).click()
      await page.getByText("Greet {{name}} of {{place}}.").waitFor()
      const resolved = page.getByRole("region", { name: "Resolved request" })
      await resolved.getByText("No value for name, place").waitFor()
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      const copyAs = async (language: string): Promise<string> => {
        await page.getByRole("button", { name: `Copy as ${language}` }).click()
        return page.evaluate(() => navigator.clipboard.readText())
      }
      await page.getByLabel("Value of name").fill("Ann")
      await resolved.getByText("No value for place").waitFor()
      await page.getByLabel("Value of place").pressSequentially("Ulm")
      // The field still has the focus, and the page has not resolved the request yet.
      assert.include(await copyAs("curl"), '"place":"Ulm"')
      await page.getByText("Greet Ann of Ulm.").waitFor()
      assert.strictEqual(await resolved.getByText("No value").count(), 0)
      const [program, path] = [await copyAs("TypeScript"), stage().server.address]
      const env = { ...process.env, VERBATIM_URL: path, VERBATIM_KEY: keys.inference }
      const options = ["--input-type=module", "--eval", program]
      const { stdout } = await promisify(execFile)(process.execPath, options, { env })
      assert.include(stdout, "Greet Ann of Ulm.")
      // Each copy is made before the page resolves the changed request.
      await page.getByLabel("Format").selectOption("Messages")
      assert.match(await copyAs("curl"), /format=messages.*"max_tokens":1024/s)
      const request = page.getByRole("textbox", { name: "Request" })
      await request.fill(`{ "input": `)
      await page.getByText("The request cannot be copied while it is invalid.").waitFor()
      const copy = page.getByRole("button", { name: "Copy as curl" })
      assert.strictEqual(await copy.getAttribute("aria-disabled"), "true")
      await request.fill(`{ "max_tokens": 7 }`)
      assert.include(await copyAs("curl"), '"max_tokens":7')
      assert.strictEqual(pins, 1)
      await resolved.getByText("7", { exact: true }).waitFor()
      const revised = { body: { instructions: "Welcome {{name}}." } }
      await stage().send("/presets/greeting/responses", revised)
      // A page reads the preset again when the user comes back to it.
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")))
      await page.getByText("Welcome Ann.").waitFor()
    })
  })

  it("shows which version was live at a given time", async () => {
    const before = await stage().server.request("/v1/presets/notes/designations")
    const { data } = await before.json()
    const at: string = data[0].designated_at
    await stage().visit(async (page) => {
      await goTo(page, `/presets/notes?view=try&a=designated&aat=${at}`)
      await page.getByText("live then").waitFor()
      await page.getByText("Write short minutes.").waitFor()
      // Date fields accept years that the API rejects.
      await goTo(page, "/presets/notes?view=history")
      const field = page.getByLabel("What was served at")
      await field.evaluate((input: HTMLInputElement) => {
        input.value = "12345-01-01T00:00"
        input.dispatchEvent(new Event("input", { bubbles: true }))
      })
      await page.getByRole("button", { name: "Show", exact: true }).click()
      await field.and(page.locator(":invalid")).waitFor()
    })
  })

  it("explains which key can move a protected label", async () => {
    const answer = await stage().server.request("/v1/presets/notes")
    const { data } = await answer.json()
    await stage().send(`/workspaces/${data.workspace_id}/labels/protected/production`, {
      method: "PUT",
      body: {},
      key: keys.operator
    })
    await stage().visit(async (page) => {
      await goTo(page, "/presets/notes?version=2")
      await page.getByRole("button", { name: "Labels…" }).click()
      await page.getByText("a key with the scope labels:production").waitFor()
      const field = page.getByLabel("New label")
      for (const refused of ["latest", "production"]) {
        await field.fill(refused)
        await page.getByRole("button", { name: "Point here" }).click()
        await field.and(page.locator(":invalid")).waitFor()
      }
      await field.fill("canary")
      await page.getByRole("button", { name: "Point here" }).click()
      await page.getByText("canary points to v2.").waitFor()
      await page.getByRole("button", { name: "Close" }).first().click()
      await page.getByRole("link", { name: /^v1/ }).click()
      await page.getByRole("button", { name: "Labels…" }).click()
      // The second click of a double click, which arrives after the first one's response.
      await clickAgainAfter(
        page,
        page.getByRole("button", { name: "Move here canary" }),
        async () => {
          await page.getByText("canary points to v1.").waitFor()
          await page
            .getByRole("listitem")
            .filter({ hasText: /^canary\s*points here/ })
            .waitFor()
        }
      )
      assert.strictEqual(await page.getByText("canary removed.").count(), 0)
      await page.getByRole("button", { name: "Remove canary" }).click()
      await page.getByText("canary removed.").waitFor()
      await assertAccessibleInBoth(page)
    })
  })

  it("renames a preset, erases a version, and removes the archived preset", async () => {
    const body = { model: "openai/gpt-5-mini", instructions: "The secret is 4711." }
    await stage().send("/presets/mistake/responses", { body })
    await stage().send("/presets/mistake/responses", { body: { model: "openai/gpt-5-mini" } })
    await stage().visit(async (page) => {
      await goTo(page, "/presets/mistake?version=1")
      await page.getByRole("article").getByText("The secret is 4711.").waitFor()
      await page.getByRole("button", { name: "Erase content" }).click()
      await page.getByText("The content will be erased in a moment").waitFor()
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByRole("article").getByText("The secret is 4711.").waitFor()
      await page.clock.install()
      await page.getByRole("button", { name: "Erase content" }).click()
      await page.clock.runFor(undoMillis)
      await page.getByText(/^The content was erased .+ by Key/).waitFor()
      assert.strictEqual(await page.getByText("4711").count(), 0)
      await page.getByRole("button", { name: "Rename…" }).click()
      await page.getByLabel("Name", { exact: true }).fill("Lesson")
      await assertAccessible(page)
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByRole("heading", { name: "Lesson", exact: true }).waitFor()
      await page.getByRole("button", { name: "Archive" }).click()
      await page.getByText("mistake is archived.").waitFor()
      await assertAccessibleInBoth(page)
      await page.getByRole("button", { name: "Remove permanently" }).click()
      await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
      await page.clock.runFor(undoMillis)
      const { server } = stage()
      await until(async () => (await server.request("/v1/presets/mistake")).status === 404)
      await goTo(page, "/presets/mistake")
      await page.getByText("Preset mistake not found").waitFor()
    })
  })

  it("reports an erasure that an undo of another action has made impossible", async () => {
    const body = { model: "openai/gpt-5-mini" }
    for (const _ of [1, 2]) await stage().send("/presets/returned/responses", { body })
    await stage().visit(async (page) => {
      await goTo(page, "/presets/returned?version=1")
      await page.getByRole("button", { name: "Roll back to v1" }).click()
      await page.getByText("returned: v1 is live.").waitFor()
      await page.clock.install()
      await goTo(page, "/presets/returned?version=2")
      await page.getByRole("button", { name: "Erase content" }).click()
      await page.getByText("content of v2 will be erased when this message closes.").waitFor()
      await page.getByRole("button", { name: "Undo" }).first().click()
      await page.getByText("returned: v2 is live again.").waitFor()
      await page.clock.runFor(undoMillis)
      await page.locator(".toast.is-fault").getByText("returned").waitFor()
    })
  })

  it("hides all write actions from a read-only key", async () => {
    await stage().visitAs({ key: keys.inference }, async (page) => {
      await goTo(page, "/presets/notes?version=1")
      await page.getByRole("article").getByText("Write short minutes.").waitFor()
      const main = page.getByRole("main")
      assert.deepStrictEqual(await main.getByRole("button").allTextContents(), [])
      await goTo(page, "/presets/notes?view=history")
      await main.getByRole("list", { name: "Changes, newest first" }).waitFor()
      assert.strictEqual(await main.getByRole("button", { name: /Roll back/ }).count(), 0)
      await goTo(page, "/presets/nothing")
      await page.getByText("Preset nothing not found").waitFor()
      await assertAccessible(page)
    })
  })
}
