import { execFile } from "node:child_process"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { createClient } from "@verbatim/client"
import { assert, describe, it, onTestFinished } from "vitest"
import { keys, startServer } from "../Server.ts"
import { startProvider } from "./Provider.ts"

describe("the example program that uses presets", () => {
  it("sends the preset's fields, and explains the error if a request fails", async () => {
    const server = await startServer()
    const cwd = await mkdtemp(join(tmpdir(), "verbatim-program-"))
    onTestFinished(async () => {
      await server.stop()
      await rm(cwd, { recursive: true })
    })
    const provider = await startProvider()
    const { presets } = createClient({ baseURL: server.baseURL, key: keys.management })
    await presets.createFromResponses("notes", { model: "a/b", instructions: "Be brief." })
    const env = {
      ...{ ...process.env, PROVIDER_URL: provider.url, OPENAI_API_KEY: "theirs" },
      ...{ VERBATIM_KEY: keys.inference, VERBATIM_URL: server.baseURL }
    }
    const program = fileURLToPath(new URL("program/main.ts", import.meta.url))
    const args = ["--conditions=@verbatim/source", program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env })
    assert.include(stdout, "notes@1, current\nHello.\n404: ")
    assert.deepStrictEqual(
      provider.arrivals.map(({ body }) => body),
      ['{"instructions":"Be brief.","model":"a/b","input":"Hi"}']
    )
    assert.deepStrictEqual(await readdir(cwd), [])
  })
})
