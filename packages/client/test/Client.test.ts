import { createClient, VerbatimError } from "@verbatim/client"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { keys, type Server, startServer } from "./Server.ts"

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

describe("x", () => {
  it("works", async () => {
    const client = createClient({ baseUrl: server.baseUrl, key: keys.management })
    const made = await client.presets.createFromResponses("notes", {
      model: "a/b",
      instructions: "Be kind."
    })
    assert.deepStrictEqual(await client.presets.get("notes"), made)
    const job = await client.transcriptions.create({
      file: new File(["abc"], "a.mp3"),
      language: "en"
    })
    const done = await client.transcriptions.wait(job.id)
    assert.strictEqual(done.transcription_status, "COMPLETED")
    assert.include(await client.transcriptions.result(job.id, "plain_text"), "Hello there.")
    console.log((await client.GET("/health")).data)
    void VerbatimError
  })
})
