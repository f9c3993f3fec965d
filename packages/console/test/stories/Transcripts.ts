/** Stories about transcripts: reading, search, playback, corrections and length. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { keys } from "../Server.ts"
import { makeWav } from "../Sound.ts"
import type { Stage } from "../Stage.ts"
import { assertAccessible, assertFitsAt, scrollPage } from "../Visit.ts"
import { correctElsewhere, lengthen, openTranscript, said, textOf } from "./TranscriptPage.ts"

/** Markup that would run as a script. */
const markup = `<img src="https://elsewhere.example/x" onerror="alert(1)"><script>alert(2)</script>`

/** Clicks in the middle of a word in the transcript. */
const clickWord = async (page: Page, word: string): Promise<void> => {
  const box = await said(page).evaluate((list, wanted) => {
    const walker = document.createTreeWalker(list, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.textContent?.indexOf(wanted) ?? -1
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + wanted.length)
      const { height, left, top, width } = range.getBoundingClientRect()
      return { x: left + width / 2, y: top + height / 2 }
    }
    return { x: 0, y: 0 }
  }, word)
  await page.mouse.click(box.x, box.y)
}

/** Plays a recording as slowly as browsers can, so that no word is missed. */
const playSlowly = (page: Page): Promise<void> =>
  page.locator("video").evaluate((media: HTMLVideoElement) => {
    media.playbackRate = 1 / 16
  })

/** The number of segments in a day of speech. */
const longMax = 40_000

export const transcripts = (stage: () => Stage): void => {
  const sentences = ["We met at the harbor.", `The crane is late. ${markup}`, "We leave on Friday."]

  it("can be corrected in place, and corrections and renames can be undone", async () => {
    const id = await stage().transcribe("first talk", { said: sentences })
    await stage().visit(async (page) => {
      await page.getByRole("link", { name: "first talk" }).click()
      await page.getByRole("link", { name: "Open transcript" }).click()
      await said(page).getByText("We met at the harbor.").waitFor()
      await page.getByRole("button", { name: "Play", exact: true }).waitFor()
      await assertAccessible(page)
      await page.getByRole("button", { name: "Rename speaker_0" }).click()
      await page.getByLabel("Name of speaker_0").fill(`Ana ${markup}`)
      await page.keyboard.press("Enter")
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText("Undone.").waitFor()
      await page.getByRole("button", { name: "Rename speaker_0" }).click()
      await page.getByLabel("Name of speaker_0").fill("Ana")
      await page.keyboard.press("Enter")
      await said(page).getByText("Ana", { exact: true }).waitFor()
      await page.keyboard.press("e")
      await page.getByLabel("Text at 0:00").fill("We met at the harbour.")
      await assertAccessible(page)
      await page.keyboard.press("Control+Enter")
      await said(page).getByText("We met at the harbour.").waitFor()
      const text = await textOf(stage(), id)
      assert.include(text, "Ana")
      assert.include(text, "We met at the harbour.")
      await page.getByRole("button", { name: "Correct 0:00" }).click()
      await page.getByLabel("Speaker", { exact: true }).fill("Bne")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByRole("button", { name: "Rename Bne" }).click()
      await page.getByLabel("Name of Bne").fill("Ben")
      await page.keyboard.press("Enter")
      await said(page).getByText("Ben", { exact: true }).waitFor()
      await page.getByText("Bne renamed to Ben.").waitFor()
      assert.include(await textOf(stage(), id), "Ben")
      await page.getByRole("button", { name: "Correct 0:00" }).click()
      await page.locator('[data-line="1"]').press("Home")
      await page.keyboard.press("Enter")
      await page.getByLabel(/^Speaker of/).fill("Ann")
      await page.keyboard.press("Enter")
      await said(page).getByText("Ann", { exact: true }).waitFor()
      await page.getByRole("button", { name: "Rename Ben" }).click()
      await page.getByLabel("Name of Ben").fill("Ann")
      await page.keyboard.press("Enter")
      await page.getByText("Ben merged with Ann.").waitFor()
      await page.getByRole("button", { name: "Restore version 0" }).click()
      await said(page).getByText("We met at the harbor.").waitFor()
      await page.keyboard.press("t")
      await assertAccessible(page)
    })
  })

  it("can be split between two speakers and joined again, with keys or buttons", async () => {
    const id = await stage().transcribe("two voices", { said: ["Is it late? Yes.", "We leave."] })
    await stage().visit(async (page) => {
      await openTranscript(page, id)
      const recognised = await textOf(stage(), id)
      await page.keyboard.press("e")
      const text = page.getByRole("textbox", { name: "Text at 0:00" })
      await text.press("Home")
      for (let letter = 0; letter < "Is it late?".length; letter++) await text.press("ArrowRight")
      await text.press("Enter")
      await page.getByLabel("Speaker of “Yes.”").fill("Ben")
      await assertAccessible(page)
      await page.keyboard.press("Enter")
      await page.getByText("Segment split. New speaker Ben.").waitFor()
      await said(page).getByText("Ben", { exact: true }).waitFor()
      assert.include(await textOf(stage(), id), "Ben")
      await page
        .getByRole("button", { name: /^Correct/ })
        .nth(1)
        .click()
      await page.getByRole("textbox", { name: /^Text at/ }).press("Home")
      await page.keyboard.press("Backspace")
      await page.getByText("Segments joined.").waitFor()
      await page.getByText("Changes of version 1").click()
      await page.getByText("Split by Ben").waitFor()
      assert.strictEqual(await textOf(stage(), id), recognised)
      await page.getByRole("button", { name: "Correct 0:00" }).click()
      await page
        .getByRole("textbox", { name: /^Text at/ })
        .nth(1)
        .click()
      await page.getByRole("button", { name: "Join with previous" }).click()
      await page.getByText("Changes of version 3").click()
      await page.getByText("Joined", { exact: true }).waitFor()
      await assertAccessible(page)
      await page.getByRole("button", { name: "Correct 0:00" }).click()
      assert.strictEqual(await text.inputValue(), "Is it late? Yes. We leave.")
      await page.getByRole("button", { name: "Split here" }).click()
      await page.getByText("Put the cursor where the text is to be split.").waitFor()
    })
  })

  it("can be split between two sentences, with another speaker for the rest", async () => {
    const id = await stage().transcribe("answered", { said: ["Is it late?", "Yes.", "We leave."] })
    await stage().visit(async (page) => {
      await openTranscript(page, id)
      await page.keyboard.press("e")
      const [question, answer] = [0, 1].map((line) => page.locator(`[data-line="${line}"]`))
      await question?.press("Home")
      await question?.press("Enter")
      await page.getByText("Put the cursor where the text is to be split.").waitFor()
      assert.strictEqual(await question?.inputValue(), "Is it late?")
      await question?.press("End")
      await page.getByRole("button", { name: "Split here" }).click()
      await page.getByLabel("Speaker of “Yes. We leave.”").press("Escape")
      await answer?.press("Home")
      await answer?.press("Enter")
      const other = page.getByLabel("Speaker of “Yes. We leave.”")
      await other.press("Enter")
      await page.getByText("Name another speaker: each block is by one speaker.").waitFor()
      await other.fill("Ben")
      await other.press("Enter")
      await page.getByText("Split. New speaker Ben.").waitFor()
      await said(page).getByText("Ben", { exact: true }).waitFor()
      assert.match(await textOf(stage(), id), /Ben[\s\S]*Yes\. We leave\./)
    })
  })

  it("keeps the user's draft if another user saves first", async () => {
    const id = await stage().transcribe("quick", { said: sentences })
    await stage().visit(async (page) => {
      await page.clock.install()
      await openTranscript(page, id)
      await page.getByRole("button", { name: "Correct 0:00" }).click()
      await page.getByLabel("Text at 0:00").fill("Mine.")
      await correctElsewhere(stage(), id, [{ index: 0, text: "Theirs." }])
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("Someone else corrected this in the meantime.").waitFor()
      await page.getByText("Now: Theirs.").waitFor()
      assert.strictEqual(await page.getByLabel("Text at 0:00").inputValue(), "Mine.")
      assert.include(await textOf(stage(), id), "Theirs.")
      await page.getByRole("button", { name: "Save" }).click()
      await said(page).getByText("Mine.").waitFor()
      await correctElsewhere(stage(), id, [{ index: 0, text: "Theirs again." }])
      await page.clock.runFor(31_000)
      await said(page).getByText("Theirs again.").waitFor()
    })
  })

  it("can be navigated with keys and by search, even on a phone", async () => {
    const id = await stage().transcribe("steps", { said: sentences })
    await stage().visitAs({ width: 360, height: 740, key: keys.inference }, async (page) => {
      await openTranscript(page, id)
      const slider = page.getByRole("slider", { name: "Position in the recording" })
      await page.keyboard.press("j")
      await page.keyboard.press("j")
      assert.strictEqual(await slider.getAttribute("aria-valuenow"), "8")
      await page.keyboard.press("k")
      assert.strictEqual(await slider.getAttribute("aria-valuenow"), "4")
      await said(page).getByText("The", { exact: true }).click()
      await slider.press("End")
      assert.strictEqual(await slider.getAttribute("aria-valuenow"), "16")
      await slider.press("Home")
      await page.getByRole("heading", { level: 1 }).click()
      await page.keyboard.press("/")
      await page.keyboard.type("we ")
      await page.getByText("1 of 2").waitFor()
      await page.keyboard.press("Enter")
      await page.getByText("2 of 2").waitFor()
      await page.getByText("Speakers, corrections, downloads").click()
      // The match is clicked, so it becomes the word being played.
      await playSlowly(page)
      await said(page).locator(".is-found").first().click()
      await said(page).locator(".is-found.is-word").first().waitFor()
      await assertAccessible(page)
      await assertFitsAt(page, 360)
    })
  })

  it("follows the recording, shows the waveform, and can start playback at any word", async () => {
    const bytes = makeWav(16, (second) => Math.sin(second * 2_700))
    const id = await stage().transcribe("heard talk", { said: sentences, bytes })
    await stage().visit(async (page) => {
      const ranges: Array<number> = []
      page.on("response", (answer) => {
        if (answer.url().endsWith("/media")) ranges.push(answer.status())
      })
      await openTranscript(page, id)
      const slider = page.getByRole("slider", { name: "Position in the recording" })
      await page.locator(".player-button:enabled").waitFor()
      await page.locator(".waveform.is-measured").waitFor()
      await playSlowly(page)
      await clickWord(page, "Friday")
      await page.getByRole("button", { name: "Pause" }).waitFor()
      assert.isAtLeast(Number(await slider.getAttribute("aria-valuenow")), 9)
      await page.keyboard.press("Space")
      await page.getByRole("button", { name: "Play", exact: true }).waitFor()
      await slider.press("Home")
      assert.strictEqual(await slider.getAttribute("aria-valuenow"), "0")
      await page.keyboard.press("ArrowRight")
      assert.strictEqual(await slider.getAttribute("aria-valuenow"), "5")
      await page.getByLabel("Speed").selectOption("2")
      assert.deepStrictEqual([...new Set(ranges)], [206])
      const links = page.getByRole("list", { name: "Download" }).getByRole("link")
      const answers = await links.evaluateAll((all) =>
        Promise.all(all.map(async (link) => (await fetch(link.getAttribute("href") ?? "")).status))
      )
      assert.deepStrictEqual(
        answers,
        Array.from({ length: 7 }, () => 200)
      )
    })
  })

  it("renders only its visible part, however long it is", async () => {
    const id = await stage().transcribe("long", { said: sentences })
    await stage().visit(async (page) => {
      await lengthen(page, { id, segmentCount: longMax })
      await openTranscript(page, id)
      await said(page).getByText("Sentence 0 of the day.").waitFor()
      await scrollPage(page, "end")
      await said(page).getByText("Sentence 39999 of the day.").waitFor()
      await page.keyboard.press("/")
      await page.keyboard.type("sentence 12345 of")
      await page.getByText("1 of 1").waitFor()
      await said(page).getByText("Sentence 12345 of", { exact: true }).waitFor()
      assert.isAtMost(await page.locator("[data-index]").count(), 40)
    })
  })
}
