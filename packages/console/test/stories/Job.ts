/** One job: what happened to it, what its receiver answered, and how it is run again. */
import { assert, it } from "vitest"
import { startReceiver } from "../Receiver.ts"
import type { Stage } from "../Stage.ts"
import { assertFits, judge } from "../Visit.ts"

export const job = (stage: () => Stage): void => {
  it("shows a job whose webhook was delivered, and delivers it again", async () => {
    await using receiver = await startReceiver(204)
    const id = await stage().upload({ callback_id: "harbour", callback_url: receiver.url })
    await stage().until(id, "WEBHOOK_DELIVERED")
    await stage().visit(async (page) => {
      await page.getByRole("link", { name: "harbour" }).click()
      await page.getByText("All that was asked for is done.").waitFor()
      await page.getByText("We met at the harbour at nine.").waitFor()
      assert.strictEqual(await page.getByRole("row").count(), 2)
      await page.getByRole("cell", { name: "204" }).waitFor()
      await page.getByRole("cell", { name: / (?:bytes|kB)$/ }).waitFor()
      await judge(page)
      await page.keyboard.press("t")
      await judge(page)
      await page.setViewportSize({ width: 360, height: 740 })
      await judge(page)
      await assertFits(page)
    })
  })

  it("tells why a job failed, and runs it again", async () => {
    const broken = { name: "broken.mp3", bytes: new TextEncoder().encode("no recording") }
    const id = await stage().upload({ callback_id: "broken" }, broken)
    await stage().until(id, "FAILED")
    await stage().visit(async (page) => {
      await page.goto(`${stage().server.address}/console/#/jobs/${id}`)
      await page.getByText("It failed: The format of the file is not known.").waitFor()
      await page.getByRole("button", { name: "Run again" }).click()
      await page.getByText("broken runs again.").waitFor()
      await page.getByText("asked to run again").waitFor()
    })
  })
}
