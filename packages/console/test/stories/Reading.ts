/** Stories about a reader who plays, corrects, searches and shares transcripts. */
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { makeWav } from "../Sound.ts"
import type { Stage } from "../Stage.ts"
import { until } from "../Until.ts"
import { assertAccessible, assertFitsAt, goTo, scrollPage } from "../Visit.ts"
import { correctElsewhere, lengthen, openTranscript, said, textOf } from "./TranscriptPage.ts"

/** Four seconds of video. */
const clip = new URL("../../../adapters/test/media/clip.webm", import.meta.url)

const sentences = ["Hakan is late.", "Where is Hakan?", "We leave."]

const scrollTop = (page: Page): Promise<number> => page.evaluate(() => scrollY)

/** A minute of speech in an MP3 file with a variable bit rate. */
const minute = new URL("../../../../examples/audio/harbour-minute.mp3", import.meta.url)

/** Moves the position in the recording, as playback would. */
const hear = (page: Page, seconds: number): Promise<void> =>
  page.locator("video").evaluate((media: HTMLVideoElement, to) => {
    media.currentTime = to
  }, seconds)

export const reading = (stage: () => Stage): void => {
  it("stops following playback when the reader scrolls, and resumes on request", async () => {
    const id = await stage().transcribe("read on")
    await stage().visit(async (page) => {
      await lengthen(page, { id, segmentCount: 400 })
      // This is no MP3 file, so its header cannot be repaired, and it is not loaded whole.
      const read: Array<string | undefined> = []
      page.on("request", (request) => {
        if (request.resourceType() !== "fetch" || !request.url().endsWith("/media")) return
        read.push(request.headers().range)
      })
      await openTranscript(page, id)
      await page.getByRole("button", { name: "Play", exact: true, disabled: false }).waitFor()
      assert.deepStrictEqual(read, ["bytes=0-9", "bytes=0-63"])
      // The duration from the server takes precedence over the duration in the file's header.
      await page.getByText("/ 6:40").waitFor()
      await page.mouse.move(400, 500)
      await page.mouse.wheel(0, 10)
      await page.getByText("gives this browser a length of 0:16 instead of 6:40").waitFor()
      await hear(page, 3)
      await page.getByText("0:03", { exact: false }).first().waitFor()
      // The editor opens at the segment being heard, and keys in its text do not scroll the page.
      await page.keyboard.press("e")
      await page.getByLabel("Text at 0:03").and(page.locator(":focus")).waitFor()
      const follow = page.getByRole("button", { name: "Follow the sound" })
      await page.setViewportSize({ width: 1_280, height: 420 })
      await page.locator(".transcript-side").hover()
      await page.mouse.wheel(0, 100)
      await page.setViewportSize({ width: 1_280, height: 800 })
      for (const key of ["End", "ArrowUp", "!"]) await page.keyboard.press(key)
      await page.getByLabel("Text at 0:03").and(page.locator(":focus")).waitFor()
      assert.strictEqual(await follow.count(), 0)
      await page.mouse.move(400, 500)
      await page.mouse.wheel(0, 3_000)
      await follow.waitFor()
      await until(async () => (await scrollTop(page)) > 2_000)
      const before = await scrollTop(page)
      await hear(page, 12)
      await page.getByText("0:12", { exact: false }).first().waitFor()
      // The page would scroll within two frames.
      await page.evaluate(
        () => new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))
      )
      assert.strictEqual(await scrollTop(page), before)
      await assertAccessible(page)
      await follow.click()
      await until(async () => (await scrollTop(page)) < before)
      await page.getByText("The correction at 0:00 is not saved yet.").waitFor()
      await said(page).getByText("not saved", { exact: true }).waitFor()
      // An editor that is open in another block holds the page, even without scrolling.
      await page
        .getByRole("button", { name: /^Correct 0:[1-9]/ })
        .first()
        .click()
      await follow.waitFor()
      await page.getByRole("button", { name: "Go back" }).click()
      await page.getByLabel("Text at 0:03").waitFor()
      await follow.waitFor({ state: "detached" })
    })
  })

  it("plays the end of an MP3 file that was joined from several files", async () => {
    const minutes = Array.from({ length: 3 }, () => minute)
    const bytes = new Uint8Array(
      Buffer.concat(await Promise.all(minutes.map((url) => readFile(url))))
    )
    const id = await stage().transcribe("joined", { bytes })
    await stage().visit(async (page) => {
      await openTranscript(page, id)
      const position = page.getByRole("slider", { name: "Position in the recording" })
      await page.getByRole("button", { name: "Play", exact: true, disabled: false }).waitFor()
      await position.press("End")
      const media = page.locator("video")
      await until(() => media.evaluate((media: HTMLVideoElement) => !media.seeking))
      const [at, length] = await media.evaluate((media: HTMLVideoElement) => [
        media.currentTime,
        media.duration
      ])
      assert.approximately(Number(length), 183, 1)
      assert.approximately(Number(at), 183, 1)
      assert.match((await position.getAttribute("aria-valuetext")) ?? "", /^3:0(\d) of 3:0\1$/)
      assert.strictEqual(await page.getByText("gives this browser a length").count(), 0)
    })
  })

  it("stays where the reader corrects, with a search open, and then plays by key", async () => {
    const paragraph = (name: string): string => `${name} met us at the harbour. `.repeat(60)
    const id = await stage().transcribe("stays", { said: ["Hakan", "Ben", "Ana"].map(paragraph) })
    await stage().visit(async (page) => {
      await openTranscript(page, id)
      await page.getByRole("button", { name: "Play", exact: true, disabled: false }).waitFor()
      await page.getByLabel("Search the transcript").fill("Hakan met")
      await page.getByText("1 of 60").waitFor()
      await said(page).locator(".is-hit").waitFor()
      await page.locator("h1").click()
      await scrollPage(page, 900)
      // The next block has come into view at the bottom of the window.
      await page.getByRole("button", { name: "Play from 0:08" }).waitFor()
      await page.keyboard.press("e")
      const text = page.getByRole("textbox", { name: "Text at 0:04" })
      await text.pressSequentially("Hakan met Ben. ")
      const before = await scrollTop(page)
      assert.isAbove(before, 400)
      await page.keyboard.press("Control+Enter")
      await page.getByText("Corrected.", { exact: true }).waitFor()
      await page.getByText("1 of 61").waitFor()
      assert.strictEqual(await scrollTop(page), before)
      await page.keyboard.press("Space")
      await page.getByRole("button", { name: "Pause", exact: true }).waitFor()
      assert.strictEqual(await text.count(), 0)
      await page.keyboard.press("/")
      await page.keyboard.type("Ana met")
      await page.getByText("1 of 60").waitFor()
    })
  })

  it("corrects the next block if only the end of one is in view below the player", async () => {
    const paragraph = (name: string): string => `${name} met us at the harbour. `.repeat(20)
    const id = await stage().transcribe("the end", { said: ["Hakan", "Ben", "Ana"].map(paragraph) })
    await stage().visit(async (page) => {
      // The player and the search take more than half of a phone's window, as does any video.
      await page.setViewportSize({ width: 844, height: 260 })
      await openTranscript(page, id)
      await page.getByRole("button", { name: "Play", exact: true, disabled: false }).waitFor()
      await scrollPage(page, "end")
      await page.locator("[data-index='2']").evaluate((block) => {
        const { bottom = 0 } =
          document.querySelector(".transcript-top")?.getBoundingClientRect() ?? {}
        if (bottom < innerHeight / 2) throw new Error(`the player ends at ${bottom}`)
        scrollBy(0, block.getBoundingClientRect().top - bottom - 40)
      })
      await page.keyboard.press("e")
      await page.getByRole("textbox", { name: "Text at 0:08" }).waitFor()
    })
  })

  it("plays, pauses and goes back with keys while a correction is typed", async () => {
    const id = await stage().transcribe("heard again", { said: sentences })
    await stage().visit(async (page) => {
      await openTranscript(page, id)
      await page.getByRole("button", { name: "Play", exact: true, disabled: false }).waitFor()
      await page.getByRole("button", { name: "Correct 0:00" }).click()
      await page.keyboard.press("Control+Space")
      await page.getByRole("button", { name: "Pause", exact: true }).waitFor()
      await page.keyboard.press("Control+Space")
      await page.getByRole("button", { name: "Play", exact: true }).waitFor()
      await hear(page, 9)
      await page.getByText("0:09").first().waitFor()
      await page.keyboard.press("Control+b")
      await page.getByRole("button", { name: "Pause", exact: true }).waitFor()
      assert.isBelow(
        await page.locator("video").evaluate((media: HTMLVideoElement) => media.currentTime),
        9
      )
      await page.getByRole("button", { name: "Play from 0:04" }).waitFor()
    })
  })

  it("plays voice samples one after another, and returns to the position", async () => {
    const id = await stage().transcribe("two voices", { said: sentences, bytes: makeWav(60) })
    await correctElsewhere(stage(), id, [{ index: 1, speaker: "Ben" }])
    await stage().visit(async (page) => {
      await openTranscript(page, id)
      const position = page.getByRole("slider", { name: "Position in the recording" })
      await page.getByRole("button", { name: "Play", exact: true, disabled: false }).waitFor()
      await hear(page, 30)
      await page.locator('[role="slider"][aria-valuenow="30"]').waitFor()
      const sample = page.getByRole("button", { name: "Play a sample of Ben" })
      const button = page.getByRole("button", { name: /sample of Ben/ })
      await sample.click()
      await page.getByRole("button", { name: "Pause", exact: true }).waitFor()
      // The first sample pauses just before the click, so its event arrives after the click.
      await button.evaluate((button: HTMLButtonElement) => {
        document.querySelector("video")?.pause()
        button.click()
      })
      await page.getByRole("button", { name: "Play", exact: true }).waitFor()
      assert.strictEqual(await position.getAttribute("aria-valuenow"), "30")
      const seconds = await page
        .locator("video")
        .evaluate((media: HTMLVideoElement) => media.currentTime)
      assert.strictEqual(seconds, 30)
      await sample.click()
      await page.getByRole("button", { name: "Stop the sample of Ben" }).click()
      await page.getByRole("button", { name: "Play", exact: true }).waitFor()
      await sample.waitFor()
      await assertAccessible(page)
    })
  })

  it("shows a video's image, on the job screen and above its transcript", async () => {
    const video = { name: "clip.webm", bytes: new Uint8Array(await readFile(clip)) }
    const id = await stage().upload({ callback_id: "filmed" }, video)
    await stage().until(id, "COMPLETED")
    await stage().visit(async (page) => {
      await goTo(page, `/jobs/${id}`)
      await page.locator("video[controls]").waitFor()
      await openTranscript(page, id)
      await page.getByRole("button", { name: "Play", exact: true, disabled: false }).click()
      await page.locator("video:not([controls])").waitFor()
      await page.getByRole("button", { name: "Pause", exact: true }).waitFor()
      await assertAccessible(page)
      await assertFitsAt(page, 390)
    })
  })

  it("replaces a name everywhere in one version, which can be undone", async () => {
    const id = await stage().transcribe("renamed", { said: sentences })
    await stage().visit(async (page) => {
      await openTranscript(page, id)
      await page.getByLabel("Search the transcript").fill("hakan")
      await page.getByText("1 of 2").waitFor()
      await page.getByLabel("Whole words").check()
      await page.getByLabel("Search the transcript").fill("haka")
      await page.getByText("No matches").waitFor()
      await assertAccessible(page)
      await assertFitsAt(page, 390)
      await page.setViewportSize({ width: 1_280, height: 800 })
      await page.getByLabel("Search the transcript").fill("hakan")
      await page.getByText("1 of 2").waitFor()
      assert.strictEqual(await page.getByRole("button", { name: /^Delete all/ }).count(), 0)
      await page.getByText("Replace", { exact: true }).click()
      await page.getByLabel("Replace matches with").fill("Håkan")
      await page.keyboard.press("Enter")
      await page.getByText("2 of 2").waitFor()
      await assertAccessible(page)
      await page.getByRole("button", { name: "Replace all 2" }).click()
      await page.getByText("“hakan” replaced with “Håkan”: 2 matches.").waitFor()
      assert.include(await textOf(stage(), id), "Where is Håkan?")
      await page.getByText("v1", { exact: true }).waitFor()
      await page.getByRole("button", { name: "Undo" }).click()
      await said(page).getByText("Hakan is late.").waitFor()
      assert.notInclude(await textOf(stage(), id), "Håkan")
      await page.getByLabel("Replace matches with").fill("")
      await page.getByRole("button", { name: "Delete all 2" }).click()
      await page.getByText("“hakan” deleted: 2 matches.").waitFor()
    })
  })

  it("finds a recording by its words, and opens it at that passage", async () => {
    const id = await stage().transcribe("at sea", {
      said: ["We met.", "The lighthouse keeper sings.", "We leave."]
    })
    await stage().visit(async (page) => {
      const list = page.getByRole("list", { name: "Jobs" })
      await list.getByText("at sea").waitFor()
      await page.keyboard.press("f")
      await page.getByLabel("Words in the transcript").fill("LIGHTHOUSE sings")
      // A new job rerenders the screen.
      await stage().until(await stage().upload({ callback_id: "while typing" }), "COMPLETED")
      await list.getByText("while typing").waitFor()
      await page.keyboard.press("Enter")
      await list.getByText("The lighthouse keeper sings.").waitFor()
      assert.strictEqual(await list.getByRole("listitem").count(), 1)
      await assertAccessible(page)
      await list.getByRole("link").click()
      await said(page).getByText("The lighthouse keeper sings.").waitFor()
      assert.isTrue(page.url().endsWith(`/jobs/${id}/transcript?t=4`))
      await page.getByText(/^0:04/).first().waitFor()
    })
  })

  it("offers to search the transcripts if no job's name contains the text", async () => {
    await stage().transcribe("in port", { said: ["The harbour master waves."] })
    await stage().visit(async (page) => {
      await page.getByLabel("Search jobs by name, file or id").fill("harbour master")
      await page.getByRole("link", { name: "Search transcripts for “harbour master”" }).click()
      const list = page.getByRole("list", { name: "Jobs" })
      await list.getByText("The harbour master waves.").waitFor()
      await page.getByLabel("Words in the transcript").waitFor()
      await assertAccessible(page)
    })
  })

  it("copies text and a link to a moment, and names downloads after the recording", async () => {
    stage().server.engine.say(sentences)
    const recording = { name: "Board: meeting.wav", bytes: makeWav(16) }
    const id = await stage().upload({}, recording)
    await stage().until(id, "COMPLETED")
    stage().server.engine.say()
    await stage().visit(async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
      await goTo(page, `/jobs/${id}/transcript?t=8`)
      await page.getByText("0:08").first().waitFor()
      await page.getByRole("heading", { name: recording.name }).waitFor()
      const pasted = () => page.evaluate(() => navigator.clipboard.readText())
      await page.getByRole("button", { name: "Copy text" }).click()
      await until(async () => (await pasted()).includes("Where is Hakan?"))
      await page.getByRole("button", { name: "Copy link to this moment" }).click()
      await until(async () => (await pasted()).endsWith(`#/jobs/${id}/transcript?t=8`))
      const waiting = page.waitForEvent("download")
      await page.getByRole("link", { name: "Subtitles, SRT" }).click()
      const download = await waiting
      assert.strictEqual(download.suggestedFilename(), "Board meeting.srt")
      assert.include(await readFile(await download.path(), "utf8"), "We leave.")
    })
  })
}
