/** A story about logins with a valid or an unknown key, and logout. */
import { assert, it } from "vitest"
import { keys } from "../Server.ts"
import type { Stage } from "../Stage.ts"
import { assertAccessible, logIn } from "../Visit.ts"

export const login = (stage: () => Stage): void => {
  it("accepts a valid key, and hides the key from the page", async () => {
    await stage().visitAs({ key: "" }, async (page) => {
      await assertAccessible(page)
      await page.emulateMedia({ colorScheme: "dark" })
      await assertAccessible(page)
      await page.getByLabel("API key").fill("no-such-key-0123456789")
      await page.getByRole("button", { name: "Log in" }).click()
      await page.getByText("This server does not know that key").waitFor()
      await logIn(page, keys.management)
      const kept = await page.evaluate(() => [
        document.cookie,
        localStorage.length,
        sessionStorage.length
      ])
      assert.deepStrictEqual(kept, ["", 0, 0])
      const [cookie, ...others] = await page.context().cookies()
      assert.strictEqual(others.length, 0)
      assert.isTrue(cookie?.httpOnly)
      assert.strictEqual(cookie?.sameSite, "Strict")
      assert.strictEqual(cookie?.path, "/console")
      assert.match(cookie?.value ?? "", /^[0-9a-f]{64}$/)
      await page.reload()
      await page.getByRole("heading", { name: "Jobs", exact: true }).waitFor()
      // This screen sends no requests, so it cannot notice the logout by itself.
      const other = await page.context().newPage()
      await other.goto(new URL("#/keys", page.url()).href)
      await other.getByRole("button", { name: "New key" }).waitFor()
      await page.getByRole("button", { name: "Log out" }).click()
      await page.getByLabel("API key").waitFor()
      await other.getByText("you logged out in another window").waitFor()
      assert.deepStrictEqual(await page.context().cookies(), [])
    })
  })
}
