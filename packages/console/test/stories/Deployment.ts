/** Stories about the console behind a proxy in another folder, and with ten thousand jobs. */
import { assert, it } from "vitest"
import { startProxy } from "../Proxy.ts"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { logIn } from "../Visit.ts"
import { serveJobs } from "./ManyJobs.ts"

/** More jobs than can be rendered together. */
const jobCount = 10_000

export const deployment = (stage: () => Stage): void => {
  it("works behind a proxy that adds a folder unknown to the server", async () => {
    await using proxy = await startProxy(stage().server.address, { folder: "/inside/tools" })
    await stage().visitAs({ address: `${proxy.address}/inside/tools/console` }, async (page) => {
      await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor()
      const [cookie] = await page.context().cookies()
      assert.strictEqual(cookie?.path, "/inside/tools/console")
      await page.goto(`${proxy.address}/inside/tools/console`)
      assert.strictEqual(new URL(page.url()).pathname, "/inside/tools/console/")
      await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor()
    })
  })

  it("renders only a few of ten thousand jobs, with keys to move between rows", async () => {
    await stage().visitAs({ key: "" }, async (page) => {
      await serveJobs(page, jobCount, 500)
      await logIn(page, keys.management)
      const list = page.getByRole("list", { name: "Jobs" })
      const link = list.getByRole("link").first()
      await link.focus()
      await page.keyboard.press("ArrowDown")
      const focused = await page.evaluate(() => document.activeElement?.getAttribute("href"))
      assert.match(focused ?? "", /270f$/)
      for (;;) {
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
        const size = await list.locator("[data-index]").first().getAttribute("aria-setsize")
        if (Number(size) === jobCount) break
      }
      assert.isBelow(await list.locator("li").count(), 60)
    })
  })
}
