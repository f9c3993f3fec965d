import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"

describe("the README's program", () => {
  it("transcribes a recording with the program's own engine", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "verbatim-tutorial-"))
    try {
      const program = fileURLToPath(new URL("main.ts", import.meta.url))
      const options = ["--conditions=@verbatim/source", program]
      const { stdout } = await promisify(execFile)(process.execPath, options, { cwd })
      // The log lines of the worker come first, and then the transcript.
      assert.match(stdout, /^COMPLETED: Hello[.]$/m)
    } finally {
      await rm(cwd, { recursive: true })
    }
  })
})
