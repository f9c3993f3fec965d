/** Tests calls from the package `openai` with the caller's idempotency key. */
import OpenAI, { ConflictError } from "openai"
import { assert, it } from "vitest"
import { apiKey, recording, startServers } from "./ServedSpeech.ts"

it("does not retry a call if its key belongs to another request", async () => {
  await using servers = await startServers(1)
  const { transcriptions } = new OpenAI({ apiKey, baseURL: servers.baseUrl }).audio
  const call = (content: string) =>
    transcriptions.create(
      { file: recording(content), model: "whisper-1" },
      { headers: { "Idempotency-Key": "a-key" } }
    )
  await call("one recording")
  const refused = await call("another one").catch((error: unknown) => error)
  assert.instanceOf(refused, ConflictError)
  assert.strictEqual(servers.requests(), 2)
})
