/**
 * Stories about names and text of any length and script, at any width: nothing is cut off or
 * hidden.
 */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { addOperatorKey, assertAccessible, assertFits, goTo } from "../Visit.ts"
import { lengthen } from "./TranscriptPage.ts"

/** A word that cannot be broken. */
const long = "Protokollaufzeichnung".repeat(12).slice(0, 200)

/** A right-to-left sentence, whose full stop must be at the left end. */
const hebrew = "פגישת הצוות."

const transcribe = async (stage: Stage, name: string, text: string): Promise<string> => {
  stage.server.engine.say([text, text, text])
  const id = await stage.upload({ callback_id: name, summary: "brief" }, { name: `${name}.wav` })
  await stage.until(id, "COMPLETED")
  stage.server.engine.say()
  return id
}

/** Returns whether text is laid out from right to left. */
const isFromRight = (page: Page, selector: string): Promise<boolean> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).direction === "rtl")

export const layout = (stage: () => Stage): void => {
  it("fits long names without spaces on a phone and at 200 % zoom", async () => {
    const job = await transcribe(stage(), long, long + long)
    const slug = long.toLowerCase()
    const config = {
      model: "openai/gpt-5-mini",
      instructions: long,
      metadata: { [long.slice(0, 60)]: long }
    }
    await stage().send(`/presets/${slug}/responses?comment=${long}`, { body: config })
    await stage().send(`/presets/${slug}`, { body: { name: long }, method: "PATCH" })
    const { data } = await stage().send("/workspaces", {
      body: { name: long, external_id: long },
      key: keys.operator
    })
    const sights: ReadonlyArray<readonly [path: string, seen: string]> = [
      [`/jobs/${job}`, "The transcript is complete."],
      [`/jobs/${job}/transcript`, "Speakers, corrections, downloads"],
      ["/presets", "New preset"],
      [`/presets/${slug}`, "System prompt"],
      [`/presets/${slug}?view=history`, "What was served at"],
      [`/presets/${slug}?view=try&a=designated&b=latest`, "from the preset"],
      [`/presets/${long}x`, "not found"],
      ["/workspaces", "min left"],
      [`/workspaces/${data.id}`, "Ledger"],
      ["/jobs", "Transcribe"]
    ]
    for (const width of [320, 640]) {
      await stage().visitAs({ width, height: 640 }, async (page) => {
        await addOperatorKey(page)
        for (const [path, seen] of sights) {
          await goTo(page, path)
          await page.getByText(seen).filter({ visible: true }).first().waitFor()
          await assertFits(page, path.slice(0, 20))
        }
        await assertAccessible(page)
      })
    }
  })

  it("marks the chosen version and changed lines with more than colour", async () => {
    for (const word of ["One", "Two"]) {
      const body = { model: "any/model", instructions: `${word} ${long}` }
      await stage().send("/presets/long-prompt/responses", { body })
    }
    await stage().visit(async (page) => {
      await goTo(page, "/presets/long-prompt")
      const lines = page.getByRole("list", { name: "Versions" })
      // With forced colours, backgrounds are not shown.
      await page.emulateMedia({ forcedColors: "active" })
      const edges = lines.getByRole("link")
      await edges.first().waitFor()
      const colours = await edges.evaluateAll((all) =>
        all.map((each) => getComputedStyle(each).borderLeftColor)
      )
      assert.strictEqual(new Set(colours).size, 2)
      await goTo(page, "/presets/long-prompt?view=compare&a=1&b=2")
      const signs = page.locator(".diff-row").first().locator(".diff-number")
      await signs.first().waitFor()
      const read = await signs.evaluateAll((all) =>
        all.map((each) => getComputedStyle(each, "::before").content)
      )
      assert.deepStrictEqual(read, [`"− "`, `"+ "`])
    })
  })

  it("prints the whole transcript, without controls", async () => {
    const id = await transcribe(stage(), "printed", "Said.")
    await stage().visit(async (page) => {
      await lengthen(page, { id, segmentCount: 1_000 })
      await goTo(page, `/jobs/${id}/transcript`)
      await page.getByText("Sentence 0 of the day.").waitFor()
      const end = page.getByText("Sentence 999 of the day.")
      assert.strictEqual(await end.count(), 0)
      const dispatch = (name: string) =>
        page.evaluate((each) => dispatchEvent(new Event(each)), name)
      await dispatch("beforeprint")
      await end.waitFor({ state: "attached" })
      await dispatch("afterprint")
      await end.waitFor({ state: "detached" })
      await page.emulateMedia({ media: "print" })
      assert.isFalse(await page.getByRole("navigation").isVisible())
    })
  })

  it("aligns right-to-left text to the right", async () => {
    const job = await transcribe(stage(), hebrew, hebrew)
    await stage().visit(async (page) => {
      assert.isTrue(await isFromRight(page, `.row-title:has-text("${hebrew}")`))
      await goTo(page, `/jobs/${job}`)
      await page.locator(".excerpt").waitFor()
      assert.isTrue(await isFromRight(page, "h1"))
      assert.isTrue(await isFromRight(page, ".excerpt"))
      await goTo(page, `/jobs/${job}/transcript`)
      await page.locator(".block-text").first().waitFor()
      assert.isTrue(await isFromRight(page, ".block-text"))
      await page.keyboard.press("e")
      await page.getByLabel("Text at 0:00").waitFor()
      assert.isTrue(await isFromRight(page, ".block-editor textarea"))
      await assertAccessible(page)
    })
  })

  it("finds a workspace among many by its name", async () => {
    for (const name of ["Harbour office", "Lighthouse"]) {
      await stage().send("/workspaces", { body: { name }, key: keys.operator })
    }
    const far = await stage().send("/workspaces", {
      body: { name: "Far away" },
      key: keys.operator
    })
    await stage().visitAs({ key: keys.operator }, async (page) => {
      await goTo(page, "/workspaces")
      const list = page.getByRole("list", { name: "Workspaces" })
      await list.getByText("Harbour office").waitFor()
      await page.keyboard.press("/")
      await page.keyboard.type("lightH")
      await list.getByText("Harbour office").waitFor({ state: "detached" })
      await list.getByText("Lighthouse").waitFor()
      await page.keyboard.type("x")
      await page.getByRole("button", { name: "Show all workspaces" }).click()
      await list.getByText("Harbour office").waitFor()
      // One workspace more than the page loads at once.
      await page.route("**/api/v1/workspaces?*", (route) =>
        route.fulfill({ json: { data: [], next_cursor: "more" } })
      )
      await page.reload()
      await page.getByText("Enter a full id to open any other.").waitFor()
      await page.getByLabel("Search workspaces").fill(far.data.id)
      await page.getByRole("link", { name: "Open the workspace with this id" }).click()
      await page.getByRole("heading", { name: "Far away" }).waitFor()
    })
  })
}
