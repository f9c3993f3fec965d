/** What somebody writes: whatever comes in between, nothing of it is lost. */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { keys } from "../Server.ts"
import { makeWav } from "../Sound.ts"
import type { Stage } from "../Stage.ts"
import { goTo, keepMessages, logIn, scrollPage } from "../Visit.ts"
import { lengthen } from "./LongTalk.ts"

const sentences = ["We met at the harbor.", "The crane is late.", "We leave on Friday."]

const json = { "content-type": "application/json" }

const transcribe = async (stage: Stage, name: string): Promise<string> => {
  stage.server.engine.say(sentences)
  const id = await stage.upload({ callback_id: name }, { name: "talk.wav", bytes: makeWav(16) })
  await stage.until(id, "COMPLETED")
  stage.server.engine.say()
  return id
}

const said = (page: Page) => page.getByRole("list", { name: "What was said" })

const open = async (page: Page, id: string): Promise<void> => {
  await goTo(page, `/jobs/${id}/transcript`)
  await said(page).waitFor()
}

const correctElsewhere = async (
  { server }: Stage,
  id: string,
  changes: ReadonlyArray<object>
): Promise<void> => {
  const answer = await server.request(`/v1/transcriptions/${id}/segments`, {
    method: "PATCH",
    headers: json,
    body: JSON.stringify(changes)
  })
  assert.strictEqual(answer.status, 200)
}

const textOf = async ({ server }: Stage, id: string): Promise<string> =>
  (await server.request(`/v1/status/${id}/paragraph_text`)).text()

/** The server forgets who has logged in, as when it is started again. */
export const endSession = async (page: Page): Promise<void> => {
  const status = await page.evaluate(async () => {
    const headers = { "x-verbatim-console": "session" }
    return (await fetch("session", { method: "DELETE", headers })).status
  })
  assert.strictEqual(status, 204)
  // Until the page asks for something.
  await page.clock.runFor(6_000)
}

const correctFirst = async (page: Page, text: string): Promise<void> => {
  await page.getByRole("button", { name: "Correct 0:00" }).click()
  await page.getByLabel("Text at 0:00").fill(text)
}

/** Whether the browser would ask whoever closes the page now. */
const asksBeforeLeaving = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const event = new Event("beforeunload", { cancelable: true })
    window.dispatchEvent(event)
    return event.defaultPrevented
  })

/** A day of talk. */
const longMax = 4_000

export const drafts = (stage: () => Stage): void => {
  it("is there again for whoever logs in again, and for nobody else", async () => {
    const id = await transcribe(stage(), "over")
    await stage().visit(async (page) => {
      await page.clock.install()
      await open(page, id)
      await correctFirst(page, "We met at the harbour.")
      await endSession(page)
      await page.getByText("Your session is over").waitFor()
      await logIn(page, keys.inference)
      await said(page).waitFor()
      assert.strictEqual(await page.getByLabel("Text at 0:00").count(), 0)
      await endSession(page)
      await page.getByText("Your session is over").waitFor()
      await logIn(page, keys.management)
      const field = page.getByLabel("Text at 0:00")
      await field.waitFor()
      assert.strictEqual(await field.inputValue(), "We met at the harbour.")
      await page.keyboard.press("Control+Enter")
      await said(page).getByText("We met at the harbour.").waitFor()
      const focused = page.getByRole("button", { name: "Correct 0:00" })
      await focused.and(page.locator(":focus")).waitFor()
      assert.include(await textOf(stage(), id), "We met at the harbour.")
    })
  })

  it("is there again when it was scrolled away, put away, or left", async () => {
    const id = await transcribe(stage(), "scrolled")
    await stage().visit(async (page) => {
      await lengthen(page, { id, segmentCount: longMax })
      await open(page, id)
      const field = page.getByLabel("Text at 0:00")
      await correctFirst(page, "Mine.")
      await scrollPage(page, "end")
      await field.waitFor({ state: "detached" })
      assert.isTrue(await asksBeforeLeaving(page))
      await scrollPage(page, 0)
      await field.waitFor()
      assert.strictEqual(await field.inputValue(), "Mine.")
      await page.getByRole("link", { name: "Job", exact: true }).click()
      await page.getByRole("link", { name: "Read, hear and correct" }).click()
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
      await page.getByRole("link", { name: "Read, hear and correct" }).waitFor()
      assert.isTrue(await asksBeforeLeaving(page))
    })
  })

  it("is not written on while it is sent, and is missed by nobody then", async () => {
    const id = await transcribe(stage(), "sent")
    await stage().visit(async (page) => {
      await open(page, id)
      assert.isFalse(await asksBeforeLeaving(page))
      let send = (): void => {}
      const sent = new Promise<void>((resolve) => {
        send = resolve
      })
      await page.route(`**/transcriptions/${id}/segments`, async (route) => {
        await sent
        await route.continue()
      })
      await correctFirst(page, "As it was sent.")
      await page.keyboard.press("Control+Enter")
      const field = page.getByLabel("Text at 0:00")
      await field.and(page.locator("[readonly]")).waitFor()
      await field.press("Escape")
      await field.pressSequentially("lost")
      send()
      await said(page).getByText("As it was sent.").waitFor()
      assert.isFalse(await asksBeforeLeaving(page))
    })
  })

  it("is undone over nobody else's work", async () => {
    const id = await transcribe(stage(), "undone late")
    await stage().visit(async (page) => {
      await open(page, id)
      await page.clock.install()
      await keepMessages(page)
      await correctFirst(page, "Mine.")
      await page.getByRole("button", { name: "Save" }).click()
      await page.getByRole("button", { name: "Undo" }).waitFor()
      await correctElsewhere(stage(), id, [{ index: 1, text: "Theirs." }])
      // It is seen before the message has gone.
      await page.clock.runFor(6_000)
      await said(page).getByText("Theirs.").waitFor()
      await page.getByRole("button", { name: "Undo" }).click()
      await page.getByText("Somebody was quicker").waitFor()
      assert.include(await textOf(stage(), id), "Theirs.")
    })
  })

  it("is written over the text that was seen, and over no other", async () => {
    const id = await transcribe(stage(), "seen")
    await stage().visit(async (page) => {
      const read = page.waitForResponse((answer) => answer.url().endsWith(`/status/${id}`))
      let isFirst = true
      await page.route(`**/transcriptions/${id}/corrections?*`, async (route) => {
        if (isFirst) {
          isFirst = false
          // The text is there before its version is told, where nobody waits for that.
          const waited = page.waitForTimeout(1_000)
          await Promise.race([read, waited])
          await correctElsewhere(stage(), id, [{ index: 0, text: "Theirs." }])
        }
        await route.continue()
      })
      await open(page, id)
      await said(page).getByText("Theirs.").waitFor()
    })
  })
}
