import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"

describe("the program in the README", () => {
  it("adds a version to the preset that it stored before", async () => {
    const program = fileURLToPath(new URL("main.ts", import.meta.url))
    const options = ["--conditions=@verbatim/source", program]
    const { stdout } = await promisify(execFile)(process.execPath, options)
    assert.strictEqual(stdout, "version 1: Take notes.\nversion 2: Take short notes.\n")
  })
})
