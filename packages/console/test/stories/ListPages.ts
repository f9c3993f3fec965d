/** A story about a list with several pages, one of which fails to load. */
import { assert, it } from "vitest"
import type { Stage } from "../Stage.ts"
import { goTo, scrollPage } from "../Visit.ts"

const firstCount = 100

export const listPages = (stage: () => Stage): void => {
  it("report the failure, and load the page when the user retries", async () => {
    await stage().send("/presets/long/responses", { body: { model: "any/model" } })
    await stage().visit(async (page) => {
      let isBroken = true
      let askedOn = 0
      // The first page has many presets and the second has one, all copied from a single preset.
      await page.route(/\/api\/v1\/presets\?/, async (route) => {
        const url = new URL(route.request().url())
        const offset = Number(url.searchParams.get("offset"))
        if (offset > 0) askedOn += 1
        if (offset > 0 && isBroken) return route.fulfill({ status: 404, json: { detail: "No." } })
        url.searchParams.delete("offset")
        const response = await route.fetch({ url: String(url) })
        const { data } = await response.json()
        const presets = Array.from({ length: offset > 0 ? 1 : firstCount }, (_, index) => ({
          ...data[0],
          id: `${offset + index}`,
          slug: `call-${offset + index}`
        }))
        return route.fulfill({ response, json: { data: presets, total_count: firstCount + 1 } })
      })
      await goTo(page, "/presets")
      await page.getByText("call-0", { exact: true }).waitFor()
      await page.keyboard.press("End")
      await page.getByText("No.", { exact: true }).waitFor()
      // Scrolling does not retry a request that has just failed.
      await scrollPage(page, 0)
      await page.getByText("call-0", { exact: true }).waitFor()
      await scrollPage(page, "end")
      await page.getByText(`call-${firstCount - 1}`, { exact: true }).waitFor()
      isBroken = false
      await page.getByRole("button", { name: "Try again" }).click()
      await page.getByText(`call-${firstCount}`, { exact: true }).waitFor()
      await page.getByText("No.", { exact: true }).waitFor({ state: "detached" })
      assert.strictEqual(askedOn, 2)
    })
  })
}
