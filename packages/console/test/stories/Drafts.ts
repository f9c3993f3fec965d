/** Stories about unsaved text, which must survive every interruption. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { holdRequests, keepMessages, logIn, scrollPage } from "../Visit.ts"
import { correctElsewhere, lengthen, openTranscript, said, textOf } from "./TranscriptPage.ts"

const sentences = ["We met at the harbor.", "The crane is late.", "We leave on Friday."]

/** Ends the session on the server, as a restart would. */
export const endSession = async (page: Page): Promise<void> => {
  const status = await page.evaluate(async () => {
    const headers = { "x-verbatim-console": "session" }
    return (await fetch("session", { method: "DELETE", headers })).status
  })
  assert.strictEqual(status, 204)
  // The page notices the end of the session only when it sends a request.
  await page.clock.runFor(31_000)
}

const correctFirst = async (page: Page, text: string): Promise<void> => {
  await page.getByRole("button", { name: "Correct 0:00" }).click()
  await page.getByLabel("Text at 0:00").fill(text)
}

/** Whether the browser would ask before it closes the page. */
const asksBeforeLeaving = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const event = new Event("beforeunload", { cancelable: true })
    window.dispatchEvent(event)
    return event.defaultPrevented
  })

/** Number of segments in about an hour of speech. */
const longMax = 4_000

export const drafts = (stage: () => Stage): void => {
  it("is restored only after another login with the same key", async () => {
    const id = await stage().transcribe("over", { said: sentences })
    await stage().visit(async (page) => {
      await page.clock.install()
      await openTranscript(page, id)
      await correctFirst(page, "We met at the harbour.")
      await endSession(page)
      await page.getByText("Your session has ended").waitFor()
      await logIn(page, keys.inference)
      await said(page).waitFor()
      assert.strictEqual(await page.getByLabel("Text at 0:00").count(), 0)
      await endSession(page)
      await page.getByText("Your session has ended").waitFor()
      await logIn(page, keys.management)
      const field = page.getByLabel("Text at 0:00")
      await field.waitFor()
      assert.strictEqual(await field.inputValue(), "We met at the harbour.")
      await page.keyboard.press("Control+Enter")
      await said(page).getByText("We met at the harbour.").waitFor()
      await said(page).locator("article:focus").waitFor()
      assert.include(await textOf(stage(), id), "We met at the harbour.")
    })
  })

  it("survives when the user scrolls, undoes a discard, or leaves the screen", async () => {
    const id = await stage().transcribe("scrolled", { said: sentences })
    await stage().visit(async (page) => {
      await lengthen(page, { id, segmentCount: longMax })
      await openTranscript(page, id)
      const field = page.getByLabel("Text at 0:00")
      await correctFirst(page, "Mine.")
      // Escape clears the search, and does not cancel the correction.
      await page.getByLabel("Search the transcript").press("Escape")
      await field.focus()
      await scrollPage(page, "end")
      await said(page).getByText("Sentence 3999 of the day.").waitFor()
      assert.isTrue(await asksBeforeLeaving(page))
      // Keys still go to the text, and are not shortcuts.
      await page.keyboard.type(" The end.")
      assert.strictEqual(await field.inputValue(), "Mine. The end.")
      await scrollPage(page, 0)
      await field.fill("Mine.")
      assert.strictEqual(await field.inputValue(), "Mine.")
      await page.getByRole("link", { name: "Job", exact: true }).click()
      await page.getByRole("link", { name: "Open transcript" }).click()
      await field.waitFor()
      assert.strictEqual(await field.inputValue(), "Mine.")
      await field.press("Escape")
      await field.waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Undo" }).click()
      await field.waitFor()
      assert.strictEqual(await field.inputValue(), "Mine.")
      await scrollPage(page, 1_000)
      await page
        .getByRole("button", { name: /^Correct / })
        .first()
        .click()
      await scrollPage(page, 0)
      await page.getByText("not saved").waitFor()
      await page.getByRole("link", { name: "Job", exact: true }).click()
      await page.getByRole("link", { name: "Open transcript" }).waitFor()
      assert.isTrue(await asksBeforeLeaving(page))
    })
  })

  it("is locked while it is being saved, and lets the user close the page afterwards", async () => {
    const id = await stage().transcribe("sent", { said: sentences })
    await stage().visit(async (page) => {
      await openTranscript(page, id)
      assert.isFalse(await asksBeforeLeaving(page))
      const held = await holdRequests(page, `**/transcriptions/${id}/segments`)
      await correctFirst(page, "As it was sent.")
      await page.keyboard.press("Control+Enter")
      const field = page.getByLabel("Text at 0:00")
      await field.and(page.locator("[readonly]")).waitFor()
      await field.press("Escape")
      await field.pressSequentially("lost")
      held.release()
      await said(page).getByText("As it was sent.").waitFor()
      assert.isFalse(await asksBeforeLeaving(page))
    })
  })

  it("stays open when another block's text is saved", async () => {
    const id = await stage().transcribe("shut", { said: sentences })
    await stage().visit(async (page) => {
      await lengthen(page, { id, segmentCount: longMax })
      await openTranscript(page, id)
      const held = await holdRequests(page, `**/transcriptions/${id}/segments`)
      await correctFirst(page, "First.")
      await page.keyboard.press("Control+Enter")
      await scrollPage(page, 1_000)
      await page
        .getByRole("button", { name: /^Correct 0:[1-9]/ })
        .first()
        .click()
      const field = page.getByRole("textbox", { name: /^Text at 0:[1-9]/ }).first()
      await field.fill("Second.")
      held.release()
      await page.getByText("Corrected.", { exact: true }).waitFor()
      assert.strictEqual(await field.inputValue(), "Second.")
      await field.and(page.locator(":focus")).waitFor()
    })
  })

  it("survives other users' changes to its block, and overwrites only one segment", async () => {
    const id = await stage().transcribe("other blocks", { said: sentences })
    await correctElsewhere(stage(), id, [
      { index: 1, speaker: "Ana" },
      { index: 2, speaker: "Ana" }
    ])
    await stage().visit(async (page) => {
      await openTranscript(page, id)
      await page.getByRole("button", { name: "Correct 0:04" }).click()
      await page.getByLabel("Text at 0:04").fill("The crane is very late.")
      await correctElsewhere(stage(), id, [
        { index: 0, speaker: "Ana", text: "Theirs before." },
        { index: 2, text: "Theirs behind." }
      ])
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByText("Someone else corrected this in the meantime.").waitFor()
      const field = page.getByLabel("Text at 0:04")
      assert.strictEqual(await field.inputValue(), "The crane is very late.")
      await page.getByRole("button", { name: "Save" }).click()
      await said(page).getByText("The crane is very late.").waitFor()
      const text = await textOf(stage(), id)
      for (const words of ["Theirs before.", "The crane is very late.", "Theirs behind."]) {
        assert.include(text, words)
      }
    })
  })

  it("refuses an undo after another user has made corrections", async () => {
    const id = await stage().transcribe("undone late", { said: sentences })
    await stage().visit(async (page) => {
      await page.clock.install()
      await keepMessages(page)
      await openTranscript(page, id)
      await correctFirst(page, "Mine.")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByRole("button", { name: "Undo" }).waitFor()
      await correctElsewhere(stage(), id, [{ index: 1, text: "Theirs." }])
      // The page shows the correction before the message disappears.
      await page.clock.runFor(31_000)
      await said(page).getByText("Theirs.").waitFor()
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText("Someone else changed this transcript first").waitFor()
      assert.include(await textOf(stage(), id), "Theirs.")
    })
  })

  it("is saved as a change to the text that was shown", async () => {
    const id = await stage().transcribe("seen", { said: sentences })
    await stage().visit(async (page) => {
      const read = page.waitForResponse((answer) => answer.url().endsWith(`/status/${id}`))
      let isFirst = true
      await page.route(`**/transcriptions/${id}/corrections?*`, async (route) => {
        if (isFirst) {
          isFirst = false
          // If the page did not read the version first, it would show the text from before this
          // change.
          const waited = page.waitForTimeout(1_000)
          await Promise.race([read, waited])
          await correctElsewhere(stage(), id, [{ index: 0, text: "Theirs." }])
        }
        await route.continue()
      })
      await openTranscript(page, id)
      await said(page).getByText("Theirs.").waitFor()
    })
  })
}
