/** The list of jobs: what comes in, what becomes of it, and what is done with it. */
import { readFile } from "node:fs/promises"
import { assert, it } from "vitest"
import type { Stage } from "../Stage.ts"
import { judge } from "../Visit.ts"

const letter = new URL("../../../adapters/test/media/letter.wav", import.meta.url)

export const jobs = (stage: () => Stage): void => {
  it("takes a recording, shows what becomes of it, and undoes a deletion", async () => {
    await stage().visit(async (page) => {
      await page.getByRole("heading", { name: "No jobs yet" }).waitFor()
      await judge(page)
      stage().server.engine.hold()
      await page.getByLabel("Recordings").setInputFiles({
        name: "letter.wav",
        mimeType: "audio/wav",
        buffer: await readFile(letter)
      })
      await page.getByText("letter.wav is being transcribed").waitFor()
      const list = page.getByRole("list", { name: "Jobs" })
      await list.getByText("Transcribing").waitFor()
      stage().server.engine.release()
      await list.getByText("Completed").waitFor()
      await judge(page)
      await page.keyboard.press("t")
      await judge(page)
      await list.getByRole("button", { name: /^Delete/ }).click()
      assert.strictEqual(await list.count(), 0)
      await page.getByRole("button", { name: "Undo" }).click()
      await list.getByText("Completed").waitFor()
      await page.keyboard.press("/")
      await page.keyboard.type("no such job")
      await page.getByRole("heading", { name: "No such job" }).waitFor()
      await page.getByLabel("Look for a job").fill("letter")
      await list.getByText("letter.wav").waitFor()
    })
  })
}
