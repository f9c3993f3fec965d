/** Names and texts of any length and of any script, on any width: nothing is cut, nothing hides. */
import type { Locator, Page } from "playwright-core"
import { assert, it } from "vitest"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { addOperatorKey, assertFits, goTo, judge } from "../Visit.ts"
import { lengthen } from "./Talks.ts"

/** Nowhere to break it. */
const long = "Protokollaufzeichnung".repeat(12).slice(0, 200)

/** A sentence whose mark stands at its left. */
const hebrew = "פגישת הצוות."

const transcribe = async (stage: Stage, name: string, text: string): Promise<string> => {
  stage.server.engine.say([text, text, text])
  const id = await stage.upload({ callback_id: name, summary: "brief" }, { name: `${name}.wav` })
  await stage.until(id, "COMPLETED")
  stage.server.engine.say()
  return id
}

/** Whether a text is laid out from right to left, and stands at the right of its place. */
const isFromRight = (page: Page, selector: string): Promise<boolean> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).direction === "rtl")

export const shapes = (stage: () => Stage): void => {
  it("fits names that are long and cannot be broken, on a phone and magnified", async () => {
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
      [`/jobs/${job}`, "All that was asked for is done."],
      [`/jobs/${job}/transcript`, "Speakers, corrections, downloads"],
      ["/presets", "New preset"],
      [`/presets/${slug}`, "System prompt"],
      [`/presets/${slug}?view=history`, "Resolve then"],
      [`/presets/${slug}?view=try&a=designated&b=latest`, "from the preset"],
      [`/presets/${long}x`, "There is no preset"],
      ["/workspaces", "min left"],
      [`/workspaces/${data.id}`, "Ledger"],
      ["/jobs", "Transcribe"]
    ]
    for (const width of [320, 640]) {
      await stage().visit(
        async (page) => {
          await addOperatorKey(page)
          for (const [path, seen] of sights) {
            await goTo(page, path)
            await page.getByText(seen).filter({ visible: true }).first().waitFor()
            await assertFits(page, path.slice(0, 20))
          }
          await judge(page)
        },
        { width, height: 640 }
      )
    }
  })

  it("tells when a version with a long prompt was made, and which one is chosen", async () => {
    for (const word of ["One", "Two"]) {
      const body = { model: "any/model", instructions: `${word} ${long}` }
      await stage().send("/presets/long-prompt/responses", { body })
    }
    await stage().visit(async (page) => {
      await goTo(page, "/presets/long-prompt")
      const lines = page.getByRole("list", { name: "Versions" })
      const line = lines.getByRole("link", { name: /^v1/ })
      const endOf = async (place: Locator): Promise<number> => {
        const box = await place.boundingBox()
        return (box?.x ?? 0) + (box?.width ?? 0)
      }
      assert.isBelow(await endOf(line.locator("time")), await endOf(lines))
      // Where the system has its own colours, nothing has a background.
      await page.emulateMedia({ forcedColors: "active" })
      const edges = lines.getByRole("link")
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

  it("is printed whole, and without what nobody can press on paper", async () => {
    const id = await transcribe(stage(), "printed", "Said.")
    await stage().visit(async (page) => {
      await lengthen(page, { id, segmentCount: 1_000 })
      await goTo(page, `/jobs/${id}/transcript`)
      await page.getByText("Sentence 0 of the day.").waitFor()
      const end = page.getByText("Sentence 999 of the day.")
      assert.strictEqual(await end.count(), 0)
      const tell = (name: string) => page.evaluate((each) => dispatchEvent(new Event(each)), name)
      await tell("beforeprint")
      await end.waitFor({ state: "attached" })
      await tell("afterprint")
      await end.waitFor({ state: "detached" })
      await page.emulateMedia({ media: "print" })
      assert.isFalse(await page.getByRole("navigation").isVisible())
    })
  })

  it("sets what is written from right to left so", async () => {
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
      await judge(page)
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
    await stage().visit(
      async (page) => {
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
        // One that is beyond those that are fetched.
        await page.route("**/api/v1/workspaces?*", (route) =>
          route.fulfill({ json: { data: [], next_cursor: "more" } })
        )
        await page.reload()
        await page.getByText("Any other is opened by its whole id.").waitFor()
        await page.getByLabel("Look for a workspace").fill(far.data.id)
        await page.getByRole("link", { name: "Open the one with that id" }).click()
        await page.getByRole("heading", { name: "Far away" }).waitFor()
      },
      { key: keys.operator }
    )
  })
}
