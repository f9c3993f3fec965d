/** A transcript: read, searched, corrected, put back; by whoever may, and however long it is. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { keys } from "../Server.ts"
import { makeWav } from "../Sound.ts"
import type { Stage } from "../Stage.ts"
import { judge } from "../Visit.ts"

/** What runs as a script where text is taken for markup. */
const markup = `<img src="https://elsewhere.example/x" onerror="alert(1)"><script>alert(2)</script>`

const transcribe = async (
  stage: Stage,
  name: string,
  said: ReadonlyArray<string>
): Promise<string> => {
  stage.server.engine.say(said)
  const file = { name: "meeting.wav", bytes: makeWav(16) }
  const id = await stage.upload({ callback_id: name }, file)
  await stage.until(id, "COMPLETED")
  stage.server.engine.say()
  return id
}

const open = async (page: Page, id: string): Promise<void> => {
  await page.evaluate((to) => {
    location.hash = `/jobs/${to}/transcript`
  }, id)
  await page.getByRole("list", { name: "What was said" }).waitFor()
}

const said = (page: Page) => page.getByRole("list", { name: "What was said" })

/** Somebody else corrects a segment. */
const correctElsewhere = async ({ server }: Stage, id: string, text: string): Promise<void> => {
  const answer = await server.request(`/v1/transcriptions/${id}/segments`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify([{ index: 0, text }])
  })
  assert.strictEqual(answer.status, 200)
}

const textOf = async ({ server }: Stage, id: string): Promise<string> =>
  (await server.request(`/v1/status/${id}/paragraph_text`)).text()

/** Segments of a long day. */
const longMax = 40_000

/** Makes the answer about a job as long as that of a recording nobody would wait for in a test. */
const lengthen = (page: Page, id: string): Promise<unknown> =>
  page.route(`**/api/v1/status/${id}`, async (route) => {
    const response = await route.fetch()
    const job = await response.json()
    const list = Array.from({ length: longMax }, (_, index) => ({
      start: String(index),
      end: `${index}.9`,
      speaker: "speaker_0",
      text: `Sentence ${index} of the day.`
    }))
    const output = { duration: String(longMax), language: "en", list }
    await route.fulfill({ response, body: JSON.stringify({ ...job, output }) })
  })

export const transcripts = (stage: () => Stage): void => {
  const sentences = ["We met at the harbor.", `The crane is late. ${markup}`, "We leave on Friday."]

  it("is corrected in place, named, undone, and put back", async () => {
    const id = await transcribe(stage(), "first talk", sentences)
    await stage().visit(async (page) => {
      await page.getByRole("link", { name: "first talk" }).click()
      await page.getByRole("link", { name: "Read, hear and correct" }).click()
      await said(page).getByText("We met at the harbor.").waitFor()
      await page.getByText("The recording is not kept").waitFor()
      await judge(page)
      await page.getByRole("button", { name: "Rename speaker_0" }).click()
      await page.getByLabel("Name of speaker_0").fill(`Ana ${markup}`)
      await page.keyboard.press("Enter")
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText("It is as it was before.").waitFor()
      await page.getByRole("button", { name: "Rename speaker_0" }).click()
      await page.getByLabel("Name of speaker_0").fill("Ana")
      await page.keyboard.press("Enter")
      await said(page).getByText("Ana", { exact: true }).waitFor()
      await page.keyboard.press("e")
      await page.getByLabel("Text at 0:00").fill("We met at the harbour.")
      await judge(page)
      await page.keyboard.press("Control+Enter")
      await said(page).getByText("We met at the harbour.").waitFor()
      const text = await textOf(stage(), id)
      assert.include(text, "Ana")
      assert.include(text, "We met at the harbour.")
      await page.getByRole("button", { name: "Go back to version 0" }).click()
      await said(page).getByText("We met at the harbor.").waitFor()
      await page.keyboard.press("t")
      await judge(page)
    })
  })

  it("loses nothing of what is written when somebody else was quicker", async () => {
    const id = await transcribe(stage(), "quick", sentences)
    await stage().visit(async (page) => {
      await open(page, id)
      await page.getByRole("button", { name: "Correct 0:00" }).click()
      await page.getByLabel("Text at 0:00").fill("Mine.")
      await correctElsewhere(stage(), id, "Theirs.")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("Somebody corrected it meanwhile.").waitFor()
      await page.getByText("Now: Theirs.").waitFor()
      assert.strictEqual(await page.getByLabel("Text at 0:00").inputValue(), "Mine.")
      assert.include(await textOf(stage(), id), "Theirs.")
      await page.getByRole("button", { name: "Save" }).click()
      await said(page).getByText("Mine.").waitFor()
      await correctElsewhere(stage(), id, "Theirs again.")
      await said(page).getByText("Theirs again.").waitFor()
    })
  })

  it("is gone through by keys and by search, on a phone too", async () => {
    const id = await transcribe(stage(), "steps", sentences)
    await stage().visit(
      async (page) => {
        await open(page, id)
        const place = page.getByRole("slider", { name: "Place in the recording" })
        await page.keyboard.press("j")
        await page.keyboard.press("j")
        assert.strictEqual(await place.getAttribute("aria-valuenow"), "8")
        await page.keyboard.press("k")
        assert.strictEqual(await place.getAttribute("aria-valuenow"), "4")
        await said(page).getByText("The", { exact: true }).click()
        await place.press("End")
        assert.strictEqual(await place.getAttribute("aria-valuenow"), "16")
        await place.press("Home")
        await page.getByRole("heading", { level: 1 }).click()
        await page.keyboard.press("/")
        await page.keyboard.type("we ")
        await page.getByText("1 of 2").waitFor()
        await page.keyboard.press("Enter")
        await page.getByText("2 of 2").waitFor()
        await page.getByText("Speakers, corrections, downloads").click()
        await judge(page)
        await page.setViewportSize({ width: 360, height: 740 })
        const wide = await page.evaluate(() => document.documentElement.scrollWidth)
        assert.isAtMost(wide, 360)
      },
      { width: 360, height: 740, key: keys.inference }
    )
  })

  it("shows nothing that corrects to a key that reads", async () => {
    const id = await transcribe(stage(), "kept", sentences)
    const answer = await stage().server.request("/v1/keys", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ kind: "inference", scopes: ["transcriptions:read"] })
    })
    const { data } = await answer.json()
    await stage().visit(
      async (page) => {
        await open(page, id)
        await page.getByText("Nothing is corrected.").waitFor()
        assert.strictEqual(await page.getByRole("button", { name: /Rename|Correct/ }).count(), 0)
      },
      { key: data.token }
    )
  })

  it("is drawn as far as it is in sight, however long it is", async () => {
    const id = await transcribe(stage(), "long", sentences)
    await stage().visit(async (page) => {
      await lengthen(page, id)
      await open(page, id)
      await said(page).getByText("Sentence 0 of the day.").waitFor()
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      await said(page).getByText("Sentence 39999 of the day.").waitFor()
      await page.keyboard.press("/")
      await page.keyboard.type("sentence 12345 of")
      await page.getByText("1 of 1").waitFor()
      await said(page).getByText("Sentence 12345 of", { exact: true }).waitFor()
      assert.isAtMost(await page.locator("[data-block]").count(), 40)
    })
  })
}
