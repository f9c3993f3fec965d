import { execFile } from "node:child_process"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"

describe("the program in the README", () => {
  it("serves presets and reads them with the client", async () => {
    const directory = await mkdtemp(join(tmpdir(), "verbatim-tutorial-"))
    try {
      const program = fileURLToPath(new URL("main.ts", import.meta.url))
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["--conditions=@verbatim/source", program],
        { env: { ...process.env, TMPDIR: directory } }
      )
      assert.include(stdout, "The prompt was: Take notes.\n")
      assert.include(stdout, "The prompt is: Take short notes.\n")
      assert.include(stdout, "Preset not found\n")
      // The program stopped by itself and removed its files.
      assert.deepStrictEqual(await readdir(directory), [])
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})
