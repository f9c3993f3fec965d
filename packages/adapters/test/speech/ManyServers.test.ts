/**
 * Tests that one call leads to one job, one run and one charge, even if it reaches several servers
 * many times. The servers share only the database.
 */
import type { Stores } from "@verbatim/core/ports"
import type { Layer } from "effect"
import OpenAI from "openai"
import { assert, describe, it } from "vitest"
import { apiKey, backends, recording, startServers, until } from "./ServedSpeech.ts"

const callMax = 16

/** Sends one call to all servers concurrently, and returns the outcome. */
const sendMany = async (stores: Layer.Layer<Stores, unknown>) => {
  await using servers = await startServers(2, stores)
  const open = await servers.hold()
  let isOpen = false
  const answers = Array.from({ length: callMax }, (_, index) => {
    const client = new OpenAI({
      apiKey,
      baseURL: servers.baseUrls[index % 2] ?? "",
      // Some clients do not wait for the response, and repeat the call.
      timeout: index % 4 === 0 ? 500 : 600_000,
      maxRetries: 1_000,
      // After the gate opens, no client leaves, because a busy machine may need long to respond.
      fetch: (url, init) => fetch(url, isOpen ? { ...init, signal: null } : init)
    })
    return client.audio.transcriptions
      .create({ file: recording(), model: "whisper-1" })
      .withResponse()
  })
  await until(() => servers.requests() >= callMax + 4)
  await until(async () => (await servers.runs()) > 0)
  isOpen = true
  await open()
  const all = await Promise.all(answers)
  const jobs = await servers.jobs()
  return {
    texts: new Set(all.map(({ data }) => data.text)),
    named: new Set(all.map(({ response }) => response.headers.get("x-verbatim-job-id"))),
    jobs,
    runs: await servers.runs()
  }
}

const assertOnce = ({ jobs, named, runs, texts }: Awaited<ReturnType<typeof sendMany>>) => {
  assert.deepEqual([...texts], ["Hello there. Good morning. Shall we?"])
  assert.lengthOf(jobs, 1)
  assert.deepEqual([...named], [jobs[0]?.id])
  assert.strictEqual(runs, 1)
  // The balance of 600 minutes is reduced by two minutes only once.
  assert.strictEqual(jobs[0]?.balance_minutes, "598.00")
}

describe.each(backends)("one call that reaches two servers sixteen times or more", (name, use) => {
  it(`makes one job on ${name}`, () => use(async (stores) => assertOnce(await sendMany(stores))))
})
