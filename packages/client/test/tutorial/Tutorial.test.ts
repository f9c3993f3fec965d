import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"
import { keys, startServer } from "../Server.ts"

describe("the README's program", () => {
  it("creates a preset and a transcript", async () => {
    const server = await startServer()
    try {
      const program = fileURLToPath(new URL("main.ts", import.meta.url))
      const env = { ...process.env, VERBATIM_KEY: keys.management, VERBATIM_URL: server.baseURL }
      const args = ["--conditions=@verbatim/source", program]
      const { stdout } = await promisify(execFile)(process.execPath, args, { env })
      assert.include(stdout, "notes: Take notes. is now Take short notes.\n")
      assert.include(stdout, "00:00:00,500 --> 00:00:02,000")
      assert.include(stdout, "Hello there.")
      assert.match(stdout, /^\d{4}-\S+Z COMPLETED$/m)
      assert.include(stdout, "404: Preset not found\n")
    } finally {
      await server.stop()
    }
  })
})
