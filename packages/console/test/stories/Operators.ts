/** Stories about the operators' screens: queue, workspaces, minutes, keys and limits. */
import type { Locator, Page } from "playwright-core"
import { assert, it } from "vitest"
import { startReceiver } from "../Listener.ts"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { until } from "../Until.ts"
import {
  addOperatorKey,
  assertAccessible,
  assertAccessibleInBoth,
  assertFits,
  assertFitsAt
} from "../Visit.ts"

/** The width in pixels at which sideways scrolling is not allowed (WCAG 2.2, 1.4.10). */
const narrowest = 320

/** An unusually large backlog. */
const many = 12_345_678

/** More credits than the first page shows. */
const creditCount = 60

/** Adds credits to the key's workspace, and then a job; returns the ids. */
const fillTheLedger = async ({ send, server, until, upload }: Stage) => {
  const answer = await server.request("/v1/usage?by=workspace")
  const { data } = await answer.json()
  const workspace: string = data[0].workspace_id
  for (let number = 0; number < creditCount; number += 1) {
    const body = { minutes: 0.01 }
    await send(`/workspaces/${workspace}/credits`, { body, key: keys.operator })
  }
  const job = await upload()
  await until(job, "COMPLETED")
  return { job, workspace }
}

/** Opens a workspace's ledger, and waits for the newest lines. */
const openLedger = async (page: Page, workspace: string) => {
  await page.getByRole("link", { name: "Workspaces", exact: true }).click()
  await page.locator(`a[href$="/workspaces/${workspace}"]`).click()
  const ledger = page.getByRole("region", { name: "Ledger", exact: true })
  await ledger.getByRole("row").nth(50).waitFor()
  return ledger
}

/** Creates a workspace with a job that fails because its file is not a recording. */
const makeFailure = async ({ send, server }: Stage, name: string): Promise<string> => {
  const asOperator = { key: keys.operator }
  const workspace = await send("/workspaces", { body: { name }, ...asOperator })
  const { id } = workspace.data
  await send(`/workspaces/${id}/credits`, { body: { minutes: 600 }, ...asOperator })
  const order = { body: { kind: "inference" }, ...asOperator }
  const { data: key } = await send(`/workspaces/${id}/keys`, order)
  const form = new FormData()
  form.set("file", new File(["<html>"], "page.wav"))
  const init = { method: "POST", body: form }
  const accepted = await server.request("/v1/transcribe", init, key.token)
  assert.isTrue(accepted.ok, `${accepted.status}`)
  for (;;) {
    const path = `/work/jobs?status=FAILED&workspace_id=${id}`
    const { data } = await send(path, { method: "GET", ...asOperator })
    if (data.length > 0) return id
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Waits until the list of jobs shows only jobs with the given names. */
const listed = async (page: Page, names: ReadonlyArray<string>) => {
  const rows = page.getByRole("list", { name: "Jobs" }).getByRole("listitem")
  for (const name of names) await rows.filter({ hasText: name }).waitFor()
  assert.strictEqual(await rows.count(), names.length)
  return rows
}

/** Reloads the page until a text is shown, because the screen is read again once a minute. */
const reloadUntil = (page: Page, text: Locator): Promise<void> =>
  until(async () => {
    if (await text.isVisible()) return true
    await page.reload()
    await page.locator(".chart, .virtual, .empty").first().waitFor()
    return text.isVisible()
  })

/** Searches the failed jobs for a name. */
const searchByName = async (page: Page): Promise<void> => {
  const search = page.getByLabel("Search jobs by name, file or id")
  await search.fill("nothing")
  await page.getByRole("link", { name: "Failed 0", exact: true }).waitFor()
  // The other counts ignore the search, so they are not shown while there is one.
  await page.getByRole("link", { name: "Queued", exact: true }).waitFor()
  await search.fill("page")
  await page.getByRole("link", { name: "Failed 1", exact: true }).waitFor()
  await listed(page, ["page.wav"])
  await search.fill("")
}

export const operators = (stage: () => Stage): void => {
  it("lists failed jobs from all workspaces, and opens those from its own", async () => {
    const id = await makeFailure(stage(), "Customer")
    const own = await stage().upload({ callback_id: "our job" })
    await stage().until(own, "COMPLETED")
    await stage().visitAs({ key: keys.operator }, async (page) => {
      await page.getByRole("heading", { name: "Queue", exact: true }).waitFor()
      const first = page.getByRole("region").first()
      await first.getByRole("heading", { name: "This server" }).waitFor()
      await page.getByText("Includes failures of jobs that were run again or deleted").waitFor()
      const ended = page.getByRole("region", { name: "Ended jobs in the last 24 hours" })
      await reloadUntil(
        page,
        ended.getByRole("img", { name: /^[1-9]\d* completed, [1-9]\d* failed in/ })
      )
      await ended.getByText("Jobs by hour, as a table").click()
      await ended.getByRole("row").nth(24).waitFor()
      await assertAccessible(page)
      await assertFits(page)
      await page.getByRole("link", { name: "The file could not be decoded" }).click()
      const rows = await listed(page, ["page.wav"])
      const cause = page.getByLabel("Cause of the failure")
      assert.strictEqual(await cause.inputValue(), "MediaUndecodable")
      await cause.selectOption("The engine failed")
      await page.getByText("No job matches the filters.").waitFor()
      await page.goBack()
      await page.getByRole("link", { name: "Show the failed jobs of all workspaces" }).click()
      await listed(page, ["page.wav"])
      const reason = rows.getByText(/^The file /)
      assert.isTrue(await reason.evaluate((note) => note.scrollWidth <= note.clientWidth))
      await page.getByText("To open a job, log in with a key of its workspace.").waitFor()
      await page.getByRole("link", { name: "Failed 1" }).waitFor()
      await searchByName(page)
      await page.getByRole("link", { name: "Failed 1" }).waitFor()
      assert.strictEqual(await rows.getByRole("link").count(), 1)
      await assertAccessible(page)
      await assertFits(page)
      await assertFitsAt(page, narrowest)
      await page.setViewportSize({ width: 1_280, height: 800 })
      await page.getByRole("link", { name: "All", exact: true }).click()
      await listed(page, ["our job", "page.wav"])
      await rows.getByRole("link", { name: "Workspace Customer" }).click()
      await page.getByRole("link", { name: "Show jobs" }).click()
      await listed(page, ["page.wav"])
      assert.include(page.url(), `workspace=${id}`)
      const workspace = page.getByLabel("Workspace", { exact: true })
      // The field shows the id until the names have been read.
      await until(async () => (await workspace.inputValue()) === "Customer")
      await workspace.fill("Nobody")
      await workspace.press("Enter")
      assert.isFalse(await workspace.evaluate((field: HTMLInputElement) => field.checkValidity()))
      await workspace.fill("")
      await workspace.press("Enter")
      await listed(page, ["our job", "page.wav"])
      await workspace.fill("custom")
      await rows.filter({ hasText: "our job" }).waitFor({ state: "detached" })
      await listed(page, ["page.wav"])
      assert.strictEqual(await workspace.inputValue(), "custom")
      await workspace.press("Enter")
      await until(async () => (await workspace.inputValue()) === "Customer")
      await assertAccessible(page)
    })
    await stage().visit(async (page) => {
      await addOperatorKey(page)
      await page.getByRole("link", { name: "Workspaces", exact: true }).click()
      await page.getByRole("link", { name: /^default/ }).click()
      await page.getByRole("link", { name: "Show jobs" }).click()
      await page.getByRole("checkbox", { name: "Select our job" }).waitFor()
      await page.getByRole("button", { name: "All workspaces" }).click()
      const rows = await listed(page, ["our job", "page.wav"])
      await page.getByText("To open a job of another workspace, log in").waitFor()
      await rows.getByRole("link", { name: /^our job/ }).click()
      await page.getByRole("heading", { name: "our job" }).waitFor()
      await page.locator("a.back").click()
      await page.getByRole("button", { name: "All workspaces", pressed: true }).waitFor()
      await page.getByRole("button", { name: "This workspace" }).click()
      await page.getByRole("checkbox", { name: "Select our job" }).waitFor()
      await listed(page, ["our job"])
      await page.getByLabel("Search jobs by name, file or id").fill("page.wav")
      await page.getByRole("link", { name: "Search all workspaces" }).click()
      await listed(page, ["page.wav"])
    })
    await stage().server.request(`/v1/transcriptions/${own}`, { method: "DELETE" })
  })

  it("retries, deletes and restores failed jobs of several workspaces at once", async () => {
    const { send } = stage()
    const ids = [await makeFailure(stage(), "First"), await makeFailure(stage(), "Second")]
    const countFailed = async (): Promise<number> => {
      const pages = ids.map((id) => `/work/jobs?status=FAILED&workspace_id=${id}`)
      const found = pages.map((path) => send(path, { method: "GET", key: keys.operator }))
      return (await Promise.all(found)).reduce((sum, { data }) => sum + data.length, 0)
    }
    await stage().visitAs({ key: keys.operator }, async (page) => {
      await page.getByRole("link", { name: "Show the failed jobs of all workspaces" }).click()
      const rows = page.getByRole("list", { name: "Jobs" }).getByRole("listitem")
      const both = ["First", "Second"].map((name) => rows.filter({ hasText: name }))
      for (const row of both) await row.getByRole("checkbox").check()
      await assertAccessible(page)
      await page.getByRole("button", { name: "Run again (2)" }).click()
      await page.getByText("Running 2 jobs again.").waitFor()
      assert.strictEqual(await page.locator(".toast.is-fault").count(), 0)
      // The files are still not recordings, so their jobs fail again.
      await until(async () => (await countFailed()) === 2)
      await page.reload()
      for (const row of both) await row.getByRole("checkbox").check()
      await page.getByRole("button", { name: "Delete (2)" }).click()
      for (const row of both) await row.waitFor({ state: "detached" })
      await page.getByRole("button", { name: "Undo" }).click()
      for (const row of both) await row.waitFor()
      assert.strictEqual(await countFailed(), 2)
      for (const row of both) await row.getByRole("checkbox").check()
      await page.getByRole("button", { name: "Delete (2)" }).click()
      await page.reload()
      await until(async () => (await countFailed()) === 0)
    })
  })

  it("shows the workers, the queue, and the server's health", async () => {
    await stage().visitAs({ key: keys.operator }, async (page) => {
      await page.getByRole("heading", { name: "Queue", exact: true }).waitFor()
      await page.getByText("Alive").waitFor()
      await page.getByText("Everything that this server needs is available.").waitFor()
      await page.getByRole("heading", { name: "Failures in the last hour" }).waitFor()
      await page.getByText(/^Since .+, peak \d+$/).waitFor()
      await page.getByRole("img", { name: / due, .+ running; peak / }).hover()
      await page.getByText(/^[\d:]+: \d+ due, \d+ running$/).waitFor()
      await page.getByRole("button", { name: "1 day" }).click()
      await page.getByRole("button", { name: "1 day", pressed: true }).waitFor()
      await page.reload()
      await page.getByRole("button", { name: "1 day", pressed: true }).waitFor()
      await page.getByText("Queue over time, as a table").click()
      await page.getByRole("row", { name: /^Time Due Running$/ }).waitFor()
      await assertAccessibleInBoth(page)
    })
  })

  it("shows why jobs wait: an outage of the engine, and paused tasks", async () => {
    const { engine } = stage().server
    engine.refuse("No such key", { status: 401 })
    const id = await stage().upload({ callback_id: "waiting" })
    const outage = /cannot use the speech engine.*No such key.*Jobs that need it wait/
    await stage().visitAs({ key: keys.operator }, async (page) => {
      await page.getByRole("heading", { name: "Queue", exact: true }).waitFor()
      await reloadUntil(page, page.getByText(outage))
      await page.getByRole("button", { name: "Pause: transcribe" }).click()
      await page.getByText("Workers begin no more of it").waitFor()
      await page.reload()
      await page.getByText("Paused by an operator: transcribe.").waitFor()
      await page.getByRole("row", { name: "Transcribe Paused" }).waitFor()
      await assertAccessible(page)
    })
    await stage().visit(async (page) => {
      await reloadUntil(page, page.getByText(outage))
      await page.getByRole("link", { name: /^waiting/ }).click()
      await page.getByText(/^Waiting to transcribe the recording\. .*No such key/).waitFor()
      await addOperatorKey(page)
      await page.getByText(/^Waiting to .* Paused by an operator: transcribe\./).waitFor()
      await page.getByRole("link", { name: "Queue" }).click()
      await page.getByRole("button", { name: "Resume: transcribe" }).click()
      await page.getByText("Resumed: transcribe.").waitFor()
      await page.getByText("Paused by an operator").waitFor({ state: "hidden" })
    })
    engine.refuse()
    await stage().server.request(`/v1/transcriptions/${id}`, { method: "DELETE" })
  })

  it("shows the backlog's lanes on any screen, even on a phone", async () => {
    await using receiver = await startReceiver(503, "not now")
    const id = await stage().upload({ callback_id: "pending", callback_url: receiver.url })
    const { host } = new URL(receiver.url)
    const shown = async (page: Page): Promise<void> => {
      const lane = page.getByRole("row", { name: `http://${host}` })
      await reloadUntil(page, lane.getByRole("link", { name: "Workspace Default" }))
      await reloadUntil(page, lane.getByRole("cell", { name: "1", exact: true }))
      await assertAccessible(page)
    }
    await stage().visitAs({ key: keys.operator }, shown)
    await stage().visitAs({ key: keys.operator, colorScheme: "dark", width: 390 }, async (page) => {
      await shown(page)
      await assertFits(page)
      await assertFitsAt(page, narrowest)
      await page.route("**/api/v1/work", async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        for (const entry of body.data.backlog) Object.assign(entry, { due: many, leased: many })
        body.data.hours = []
        await route.fulfill({ response, json: body })
      })
      await reloadUntil(page, page.getByText("12,345,678").first())
      await page.getByText("The jobs that ended are not counted yet.").waitFor()
      await assertFits(page)
      await page
        .getByRole("link", { name: /^Workspace / })
        .first()
        .click()
      await page.getByRole("button", { name: "New key" }).waitFor()
    })
    await stage().server.request(`/v1/transcriptions/${id}`, { method: "DELETE" })
  })

  it("creates a workspace with minutes, a limit and a key that is shown only once", async () => {
    await stage().visitAs({ key: keys.operator }, async (page) => {
      for (const key of ["g", "s"]) await page.keyboard.press(key)
      await page.getByRole("list", { name: "Workspaces" }).waitFor()
      await assertAccessible(page)
      await page.keyboard.press("n")
      await page.getByRole("dialog").waitFor()
      await page.keyboard.type("Customer <i>42</i>")
      await assertAccessible(page)
      await page.keyboard.press("Enter")
      await page.getByRole("heading", { name: "Customer <i>42</i>" }).waitFor()
      await page.getByText("Jobs are accepted while the balance is more than 60").waitFor()
      await page.getByLabel("Add minutes").fill("90")
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await page.getByText("90.00 min").waitFor()
      const ledger = page.getByRole("region", { name: "Ledger", exact: true })
      await ledger.getByRole("row", { name: /\+90\.00 Credit / }).waitFor()
      // Within a second, the server may return the same totals again.
      await page.waitForTimeout(1_100)
      await page.getByLabel("Add minutes").fill("-1.5")
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await ledger.getByRole("row").nth(1).getByText("−1.50").waitFor()
      const usage = page.getByRole("region", { name: "By key", exact: true })
      await usage.getByRole("row", { name: "Credits 0 0.00 88.50" }).waitFor()
      await page.getByLabel("Unfinished jobs").fill("7")
      await page.getByRole("button", { name: "Save" }).first().click()
      await page.getByText("Limits saved.").waitFor()
      await page.getByRole("button", { name: "New key" }).click()
      await page.getByRole("dialog").getByLabel("Name").and(page.locator(":focus")).waitFor()
      await page.getByRole("dialog").getByLabel("Name").fill("Upload service")
      const changePresets = page.getByLabel("Change presets (only management keys)")
      await changePresets.and(page.locator(":disabled")).waitFor()
      await page.getByLabel("Kind").selectOption("management")
      await changePresets.check()
      await page.getByLabel("Kind").selectOption("inference")
      await changePresets.and(page.locator(":disabled")).waitFor()
      await page.getByLabel("Read jobs and transcripts").check()
      await page.getByLabel("Last valid day").fill("2999-12-31")
      const perDay = page.getByRole("dialog").getByLabel("Minutes per day")
      assert.strictEqual(await perDay.getAttribute("min"), "1")
      await perDay.fill("30")
      await assertAccessible(page)
      await page.getByRole("button", { name: "Create key" }).click()
      const secret = await page.getByRole("dialog").locator("p code").innerText()
      const answer = await stage().server.request("/v1/transcriptions", {}, secret)
      assert.strictEqual(answer.status, 200)
      await page.getByRole("button", { name: "Close" }).click()
      await page.getByText("inference · Read jobs and transcripts · 30 minutes per day").waitFor()
      await page.getByText(" · expires 31 Dec 2999").waitFor()
      await page.getByRole("button", { name: "Revoke Upload service" }).click()
      await assertAccessible(page)
      await page.getByRole("button", { name: "Revoke key", exact: true }).click()
      await page.getByText("Upload service revoked.").waitFor()
      const refused = await stage().server.request("/v1/transcriptions", {}, secret)
      assert.strictEqual(refused.status, 403)
      await page.getByText("Revoked", { exact: true }).waitFor()
      await page.getByText(/ · expires 31 Dec 2999 · revoked \S/).waitFor()
      await assertAccessibleInBoth(page)
    })
  })

  it("uses both keys in one session, and shows the workspace's keys and usage", async () => {
    const { send } = stage()
    const order = { body: { name: "Second" }, key: keys.operator }
    const { data: second } = await send("/workspaces", order)
    const keyOrder = { body: { kind: "management" }, key: keys.operator }
    const { data: secondKey } = await send(`/workspaces/${second.id}/keys`, keyOrder)
    await stage().visit(async (page) => {
      await page.getByText("default · Management key", { exact: true }).waitFor()
      await addOperatorKey(page)
      await page.getByText("default · Management key · Operator key").waitFor()
      await page.getByRole("link", { name: "Keys" }).click()
      await page.getByText("management · full access").waitFor()
      await assertAccessible(page)
      await page.getByRole("link", { name: "Usage" }).click()
      await page.getByRole("img", { name: /minutes charged for/ }).waitFor()
      await page.getByRole("button", { name: "All workspaces" }).click()
      await page.getByRole("heading", { name: "By workspace" }).waitFor()
      await page.getByRole("cell", { name: /^Customer <i>42/ }).waitFor()
      await assertAccessibleInBoth(page)
      await page.keyboard.press("?")
      await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor()
      await assertAccessible(page)
      await page.keyboard.press("Escape")
      const otherTab = await page.context().newPage()
      await otherTab.goto(`${stage().server.address}/console/#/jobs`)
      await otherTab.getByText("default · Management key · Operator key").waitFor()
      await page.getByRole("button", { name: "Change workspace" }).click()
      await page.getByLabel("API key").fill(secondKey.token)
      await page.getByRole("button", { name: "Change", exact: true }).click()
      await page.getByText("Second · Management key · Operator key").waitFor()
      // The other tab's upload must not reach a workspace that this tab does not show.
      const file = { name: "for default.wav", mimeType: "audio/wav", buffer: Buffer.from("RIFF") }
      await otherTab.getByLabel("Recordings").setInputFiles([file])
      await otherTab.getByText("Second · Management key · Operator key").waitFor()
      assert.deepStrictEqual(
        (await stage().send("/transcriptions", { method: "GET", key: secondKey.token })).data,
        []
      )
      await page.getByRole("link", { name: "Keys" }).click()
      await page.getByText(secondKey.hint).first().waitFor()
      await page.getByText("(this session's key)").waitFor()
      await page.getByRole("button", { name: `Revoke Key ${secondKey.hint}` }).click()
      await page.getByText("This session uses this key.").waitFor()
    })
  })

  it("shows the whole ledger, and opens jobs in it with a key for their workspace", async () => {
    const { job, workspace } = await fillTheLedger(stage())
    await stage().visit(async (page) => {
      await addOperatorKey(page)
      const ledger = await openLedger(page, workspace)
      const opening = ledger.getByText("+10000.00")
      assert.strictEqual(await opening.count(), 0)
      await ledger.getByRole("button", { name: "Show older entries" }).press("Enter")
      await opening.waitFor()
      await ledger.getByRole("button", { name: "Show older entries" }).waitFor({ state: "hidden" })
      await assertAccessible(page)
      await ledger.getByRole("link", { name: job }).press("Enter")
      await page.getByRole("heading", { name: "letter.wav" }).waitFor()
    })
    await stage().visitAs({ key: keys.operator }, async (page) => {
      const ledger = await openLedger(page, workspace)
      await ledger.getByText(job).waitFor()
      assert.strictEqual(await ledger.getByRole("link").count(), 0)
    })
  })
}
