/** Stories about bulk actions on jobs. */
import type { Route } from "playwright-core"
import { assert, it } from "vitest"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { stopTheClock, until } from "../Until.ts"
import {
  addOperatorKey,
  assertAccessible,
  assertFitsAt,
  countRequests,
  goTo,
  scrollPage
} from "../Visit.ts"
import { makeId, serveJobs } from "./ManyJobs.ts"

const broken = { name: "broken.mp3", bytes: new TextEncoder().encode("no recording") }

export const batches = (stage: () => Stage): void => {
  it("selects a range with Shift, and shows the selection without moving the rows", async () => {
    await stage().visit(async (page) => {
      await serveJobs(page, 300)
      await page.reload()
      const boxOf = (number: number) => page.getByLabel(`Select Call ${number} of many`)
      await boxOf(290).waitFor()
      await scrollPage(page, 400)
      const before = await boxOf(285).boundingBox()
      await boxOf(288).check()
      const selection = page.getByText("1 selected")
      await selection.waitFor()
      assert.deepStrictEqual(await boxOf(285).boundingBox(), before)
      const place = await selection.boundingBox()
      assert.isTrue(place !== null && place.y > 0 && place.y + place.height < 800)
      await boxOf(284).click({ modifiers: ["Shift"] })
      await page.getByText("5 selected").waitFor()
      assert.isTrue(await boxOf(286).isChecked())
      await boxOf(286).click({ modifiers: ["Shift"] })
      await page.getByText("2 selected").waitFor()
      assert.isTrue(await boxOf(287).isChecked())
    })
  })

  it("retries failed jobs, deletes and restores them", async () => {
    for (const name of ["bad 1", "bad 2", "bad 3"]) {
      await stage().until(await stage().upload({ callback_id: name }, broken), "FAILED")
    }
    const count = await stage()
      .server.request("/v1/transcriptions?status=FAILED")
      .then((answer) => answer.json())
      .then(({ data }) => data.length)
    await stage().visit(async (page) => {
      const list = page.getByRole("list", { name: "Jobs" })
      await page.getByRole("link", { name: `Failed ${count}`, exact: true }).click()
      await list.getByText("Completed").first().waitFor({ state: "detached" })
      const all = page.getByRole("link", { name: "All", exact: true })
      assert.notInclude(await all.getAttribute("href"), "status")
      await list.getByLabel("Select bad 1").check()
      await page.getByText("1 selected").waitFor()
      await assertAccessible(page)
      await assertFitsAt(page, 390)
      await page.setViewportSize({ width: 1_280, height: 800 })
      await page.getByRole("button", { name: "Select all that match" }).click()
      await page.getByText(`${count} selected`).waitFor()
      // The server is busy at first, so the page waits and retries the request.
      const busy = { status: 429, headers: { "retry-after": "1" }, json: { detail: "Too many" } }
      const held = Promise.withResolvers<void>()
      const answerLate = async (route: Route) => {
        await held.promise
        await route.fulfill(busy)
      }
      await page.route("**/actions", answerLate, { times: 1 })
      await page.getByRole("button", { name: `Run again (${count})` }).click()
      await page.getByText(`0 of ${count}`).waitFor()
      // The request uses the workspace key, so adding an operator key does not cancel it.
      await addOperatorKey(page)
      held.resolve()
      await page.getByText(`Running ${count} jobs again.`).waitFor()
      assert.strictEqual(await page.locator(".toast.is-fault").count(), 0)
      // The recordings are still broken.
      for (const name of ["bad 1", "bad 2", "bad 3"]) {
        const row = list.getByRole("listitem").filter({ hasText: name })
        await row.getByText("Failed", { exact: true }).waitFor()
        await row.getByRole("checkbox").check()
      }
      await page.getByRole("button", { name: "Delete (3)" }).click()
      await page.getByText("3 jobs will be deleted").waitFor()
      const left = await list.getByRole("listitem").count()
      await page.getByRole("link", { name: `Failed ${left}`, exact: true }).waitFor()
      assert.strictEqual(await list.getByText("bad 1").count(), 0)
      await page.getByRole("button", { name: "Undo" }).click()
      await list.getByText("bad 1").waitFor()
    })
  })

  it("asks before logout stops a bulk action, which is not retried after that", async () => {
    for (const name of ["busy 1", "busy 2"]) {
      await stage().until(await stage().upload({ callback_id: name }, broken), "FAILED")
    }
    await stage().visit(async (page) => {
      const list = page.getByRole("list", { name: "Jobs" })
      await goTo(page, "/jobs?status=FAILED")
      await page.reload()
      await list.getByLabel("Select busy 1").waitFor()
      const steps = await stopTheClock(page)
      let calls = 0
      await page.route("**/actions", (route) => {
        calls += 1
        const headers = { "retry-after": "60" }
        return route.fulfill({ status: 429, headers, json: { detail: "Too many" } })
      })
      await list.getByLabel("Select busy 1").check()
      await steps.until(page.getByText("1 selected"))
      await page.getByRole("button", { name: "Run again (1)" }).click()
      await until(() => calls === 1)
      await page.getByRole("link", { name: "All", exact: true }).click()
      await steps.until(list.getByLabel("Select busy 2"))
      await list.getByLabel("Select busy 2").check()
      // Another list shows the action that is running, and offers no other.
      await steps.until(page.getByText("0 of 1"))
      assert.strictEqual(await page.getByText("1 selected").count(), 0)
      page.removeAllListeners("dialog")
      const asked: Array<string> = []
      const answers = [false, true]
      page.on("dialog", (dialog) => {
        asked.push(dialog.message())
        void (answers.shift() === true ? dialog.accept() : dialog.dismiss())
      })
      await page.getByRole("button", { name: "Log out" }).click()
      await until(() => asked.length === 1)
      await steps.until(page.getByText("Run again: 0 of 1"))
      await page.getByRole("button", { name: "Log out" }).click()
      await steps.until(page.getByLabel("API key"))
      await page.clock.runFor(120_000)
      // The page sends requests in order, so this request would come after a retry.
      await page.evaluate(() => fetch("last/actions"))
      assert.strictEqual(calls, 2)
      const question = "An action on many jobs is running. Log out and stop it?"
      assert.deepStrictEqual(asked, [question, question])
    })
  })

  it("acts on all jobs that match, also on those that the page has not read", async () => {
    const { engine } = stage().server
    engine.hold()
    const callback_id = "one of many"
    await Promise.all(Array.from({ length: 130 }, () => stage().upload({ callback_id })))
    await stage().visit(async (page) => {
      await goTo(page, `/jobs?callback=${encodeURIComponent(callback_id)}`)
      const box = page.getByLabel(`Select ${callback_id}`)
      await box.first().check()
      await page.getByRole("button", { name: "Select all that match" }).click()
      await page.getByText("All that match selected").waitFor()
      assert.isTrue(await box.nth(1).isChecked())
      await assertAccessible(page)
      // This job is accepted after the click, so the action does not reach it.
      const id = await stage().upload({ callback_id })
      const requests: Array<string | null> = []
      const held = Promise.withResolvers<void>()
      await page.route("**/actions?*", async (route) => {
        requests.push(new URL(route.request().url()).searchParams.get("cursor"))
        if (requests.length > 1) await held.promise
        await route.continue()
      })
      await page.getByRole("button", { name: "Cancel and delete (all)" }).click()
      await page.getByText("All matching jobs will be cancelled and deleted").waitFor()
      await page.getByRole("button", { name: "Dismiss" }).click()
      await page.getByText("Cancel and delete: 100 so far").waitFor()
      held.resolve()
      await until(async () => (await box.count()) === 1)
      assert.lengthOf(requests, 2)
      await stage().send(`/transcriptions/${id}`, { method: "GET" })
      await box.check()
      await page.getByRole("button", { name: "Cancel and delete (1)" }).click()
      await page.getByText("one of many will be cancelled and deleted").waitFor()
    })
    engine.release()
  })

  it("sends one request at a time, and keeps jobs selected that it did not reach", async () => {
    await stage().visit(async (page) => {
      const served = await serveJobs(page, 300)
      for (let number = 1; number <= 300; number += 1) served.failed.add(makeId(number))
      await goTo(page, "/jobs?text=Call")
      await page.getByLabel("Select Call 300 of many").check()
      await page.getByRole("button", { name: "Select all that match" }).click()
      const held = Promise.withResolvers<void>()
      let calls = 0
      await page.route("**/actions", async (route) => {
        calls += 1
        await held.promise
        await route.fulfill({ json: { done: 100, refused: [], next_cursor: null } })
      })
      await page.getByRole("button", { name: "Run again (300)" }).click()
      await page.getByRole("button", { name: "Stop" }).click()
      held.resolve()
      await page.getByText("Running 100 jobs again.").waitFor()
      await page.getByText("200 selected").waitFor()
      assert.strictEqual(calls, 1)
    })
  })

  it("stops one of two running actions, and completes the other", async () => {
    await stage().visit(async (page) => {
      const served = await serveJobs(page, 400)
      for (let number = 1; number <= 250; number += 1) served.waiting.add(makeId(number))
      const held = Promise.withResolvers<void>()
      const calls: Array<string> = []
      await page.route("**/actions", async (route) => {
        calls.push(route.request().postDataJSON().action)
        await held.promise
        await route.fulfill({ json: { done: 100, refused: [], next_cursor: null } })
      })
      await goTo(page, "/jobs?text=Call")
      const selectAll = async (count: number): Promise<void> => {
        await page.getByRole("checkbox").first().check()
        await page.getByRole("button", { name: "Select all that match" }).click()
        await page.getByText(`${count} selected`).waitFor()
      }
      await selectAll(400)
      await page.getByRole("button", { name: "Delete (150)", exact: true }).click()
      await selectAll(250)
      await page.getByRole("button", { name: "Cancel and delete (250)" }).click()
      await page.getByText("150 jobs will be deleted when this message closes.").waitFor()
      for (const _ of [1, 2]) await page.getByRole("button", { name: "Dismiss" }).first().click()
      const running = (text: string) => page.locator(".selection > *").filter({ hasText: text })
      await running("Delete: 0 of 150").waitFor()
      // The list is empty, and shows the actions that have emptied it until they end.
      await page.getByText("No matching jobs").waitFor()
      await running("Cancel and delete: 0 of 250").getByRole("button", { name: "Stop" }).click()
      await assertAccessible(page)
      held.resolve()
      await until(() => calls.length === 3)
      assert.deepStrictEqual(calls.sort(), ["cancel", "delete", "delete"])
    })
  })

  it("counts the jobs again as soon as an action has ended", async () => {
    await stage().visit(async (page) => {
      const served = await serveJobs(page, 3)
      for (let number = 1; number <= 3; number += 1) served.failed.add(makeId(number))
      await page.route("**/actions", (route) => {
        for (const id of route.request().postDataJSON().ids) served.gone.add(id)
        return route.fulfill({ json: { done: 1, refused: [], next_cursor: null } })
      })
      await goTo(page, "/presets")
      await goTo(page, "/jobs")
      await page.getByRole("link", { name: "Failed 3", exact: true }).waitFor()
      await stopTheClock(page)
      await page.getByRole("button", { name: "Run Call 2 of many again" }).click()
      // The clock hardly advances while the requests take their time.
      await until(async () => {
        await page.clock.runFor(1)
        return (await page.getByRole("link", { name: "Failed 2", exact: true }).count()) > 0
      })
    })
  })

  it("selects all jobs that match only until a name is typed", async () => {
    await stage().visit(async (page) => {
      await serveJobs(page, 200)
      await goTo(page, "/jobs")
      await page.getByLabel("Select Call 200 of many").check()
      await page.getByRole("button", { name: "Select all that match" }).click()
      await page.getByText("All that match selected").waitFor()
      await page.getByLabel("Search jobs").fill("Call 150 of")
      await page.getByText("All that match selected").waitFor({ state: "detached" })
      await page.getByLabel("Select Call 150 of many").check()
      await page.getByRole("button", { name: "Delete (1)" }).waitFor()
    })
  })

  it("deletes no job that matches with a key that another tab has added", async () => {
    await stage().visit(async (page) => {
      const served = await serveJobs(page, 200)
      served.failed.add(makeId(200))
      await goTo(page, "/jobs")
      await page.getByLabel("Select Call 200 of many").check()
      await page.getByRole("button", { name: "Run again (1)" }).waitFor()
      await page.getByRole("button", { name: "Select all that match" }).click()
      const both = "Run failed jobs and failed summaries again (all)"
      await page.getByRole("button", { name: both }).waitFor()
      const steps = await stopTheClock(page)
      const requests = countRequests(page, (url) => url.includes("/actions"))
      await page.getByRole("button", { name: "Delete (all)" }).click()
      await steps.until(page.getByText("All matching jobs will be deleted"))
      // The message covers the button, and a pointer on the message would delay the delete.
      await page.mouse.move(0, 0)
      await page.evaluate(
        (key) =>
          fetch("session", {
            method: "POST",
            headers: { "x-verbatim-console": "session", "content-type": "application/json" },
            body: JSON.stringify({ key, adds: true })
          }),
        keys.inference
      )
      // The next request shows that the key has changed.
      await goTo(page, "/usage")
      await steps.until(page.getByText("Inference key"))
      await steps.until(page.getByText("The session has ended."))
      assert.strictEqual(requests.count, 0)
    })
  })
}
