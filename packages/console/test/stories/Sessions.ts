/** A story about a session that is replaced while a request is running. */
import { assert, it } from "vitest"
import type { Stage } from "../Stage.ts"
import { addOperatorKey } from "../Visit.ts"

export const sessions = (stage: () => Stage): void => {
  it("do not end when a request of the previous session is refused", async () => {
    await stage().visit(async (page) => {
      await page.getByRole("link", { name: "Presets" }).click()
      await page.getByRole("heading", { name: "Presets", exact: true }).waitFor()
      let answer = (): void => {}
      const isAsked = new Promise<void>((resolve) => {
        answer = resolve
      })
      let isFirst = true
      await page.route("**/api/v1/transcriptions?*", async (route) => {
        if (!isFirst) return route.continue()
        isFirst = false
        await isAsked
        const headers = { "x-verbatim-console": "refused" }
        return route.fulfill({ status: 401, headers, json: { detail: "Log in with a key." } })
      })
      await page.getByRole("link", { name: "Jobs" }).click()
      await addOperatorKey(page)
      answer()
      await page.locator(".virtual, .empty").waitFor()
      assert.strictEqual(await page.getByText("Your session has ended").count(), 0)
    })
  })
}
