import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"

describe("the program in the README", () => {
  it("shows a job's pending work, and a refused event", async () => {
    const program = fileURLToPath(new URL("main.ts", import.meta.url))
    const options = ["--conditions=@verbatim/source", program]
    const { stdout } = await promisify(execFile)(process.execPath, options)
    assert.deepStrictEqual(stdout.trim().split("\n"), [
      "revision 1, pending: Transcribe",
      "revision 2, pending: Transcribe",
      "revision 3, pending: Deliver",
      "revision 4, pending: Deliver",
      "revision 5, pending: nothing (ended)",
      "refused: IllegalTransition"
    ])
  })
})
