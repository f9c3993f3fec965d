/** Stories about the job screen: history, webhook requests and retry. */
import { assert, it } from "vitest"
import { startReceiver } from "../Listener.ts"
import type { Stage } from "../Stage.ts"
import { assertAccessible, assertAccessibleInBoth, assertFits, goTo } from "../Visit.ts"

export const job = (stage: () => Stage): void => {
  it("shows a job whose webhook was delivered", async () => {
    await using receiver = await startReceiver(204)
    const id = await stage().upload({ callback_id: "harbour", callback_url: receiver.url })
    await stage().until(id, "WEBHOOK_DELIVERED")
    await stage().visit(async (page) => {
      await page.getByRole("link", { name: "harbour" }).click()
      await page.getByText("Everything requested is done.").waitFor()
      await page.getByText("We met at the harbour at nine.").waitFor()
      assert.strictEqual(await page.getByRole("row").count(), 2)
      await page.getByRole("cell", { name: "204" }).waitFor()
      await page.getByRole("cell", { name: / (?:bytes|kB)$/ }).waitFor()
      await assertAccessibleInBoth(page)
      await page.setViewportSize({ width: 360, height: 740 })
      await assertAccessible(page)
      await assertFits(page)
    })
  })

  it("shows a job without an error before events arrive", async () => {
    const id = await stage().transcribe("quiet")
    await stage().visit(async (page) => {
      // Without events, a failed first read would be repeated only after two seconds. The list's
      // stream would still be open, and its first event would repeat the read at once.
      await page.route("**/transcriptions/events*", (route) => route.abort())
      await goTo(page, `/jobs/${id}`)
      await page.reload()
      const alert = page.getByRole("main").getByRole("alert").filter({ hasText: /\w/ })
      await page.getByRole("region", { name: "History" }).or(alert).first().waitFor()
      assert.strictEqual(await alert.count(), 0)
    })
  })

  it("explains why a job failed, and retries it on request", async () => {
    const broken = { name: "broken.mp3", bytes: new TextEncoder().encode("no recording") }
    const id = await stage().upload({ callback_id: "broken" }, broken)
    await stage().until(id, "FAILED")
    await stage().visit(async (page) => {
      await page.setViewportSize({ width: 390, height: 844 })
      const again = page.getByRole("button", { name: "Run broken again" })
      await again.waitFor()
      assert.isFalse(await page.getByRole("button", { name: "Delete broken" }).isVisible())
      assert.isFalse(await page.getByRole("button", { name: "Keyboard shortcuts" }).isVisible())
      await page.setViewportSize({ width: 1_280, height: 800 })
      await page.getByRole("button", { name: "Keyboard shortcuts" }).waitFor()
      await page.goto(`${stage().server.address}/console/#/jobs/${id}`)
      await page.getByText("Failed: The format of the file is not known.").waitFor()
      await page.getByRole("button", { name: "Run again" }).click()
      await page.getByText("Running broken again.").waitFor()
      await page.getByText("retry requested").waitFor()
    })
  })
}
