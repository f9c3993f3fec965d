/** A recording that is read in stretches, and a status that is waited for. */
import { assert, describe, it, onTestFinished } from "vitest"
import { makeClient } from "#src/Client"
import { quickClock } from "./Clocks.ts"
import { keys, startServer } from "./Server.ts"

const start = async () => {
  const server = await startServer()
  onTestFinished(() => server.stop())
  const client = makeClient({ baseUrl: server.baseUrl, key: keys.inference }, quickClock)
  return { server, transcriptions: client.transcriptions }
}

const bytes = new TextEncoder().encode("0123456789")

describe("the recording of a job", () => {
  it("is read whole, or from one byte to another", async () => {
    const { server, transcriptions } = await start()
    // It stays where there is no transcript.
    await server.failEngine()
    const { id } = await transcriptions.create({ file: new File([bytes], "a.mp3") })
    await transcriptions.wait(id)
    const read = async (stretch?: { readonly from?: number; readonly to?: number }) =>
      (await transcriptions.media(id, stretch)).text()
    assert.strictEqual(await read(), "0123456789")
    assert.strictEqual(await read({ from: 7 }), "789")
    assert.strictEqual(await read({ to: 2 }), "01")
    assert.strictEqual(await read({ from: 3, to: 4 }), "3")
    assert.strictEqual(await read({ from: 8, to: 100 }), "89")
    const beyond = await read({ from: 10 }).catch((error) => error)
    assert.deepInclude(beyond, { kind: "refused", status: 416 })
    const wrong = [{ from: -1 }, { from: 2, to: 2 }, { from: 1.5 }, { to: 0 }, { from: Number.NaN }]
    for (const stretch of wrong) {
      const error = await read(stretch).catch((cause) => cause)
      assert.strictEqual(error.kind, "unsent", JSON.stringify(stretch))
    }
  })
})

describe("the status of a job", () => {
  it("is answered when it changes, to whoever may wait so long", async () => {
    const { server, transcriptions } = await start()
    await server.failEngine()
    const { id } = await transcriptions.create({ file: new File([bytes], "a.mp3") })
    let job = await transcriptions.get(id, { wait: 60 })
    while (job.status !== "FAILED") job = await transcriptions.get(id, { wait: 60 })
    assert.strictEqual(job.transcription_status, "FAILED")
    const error = await transcriptions.get(id, { wait: 61 }).catch((cause) => cause)
    assert.deepInclude(error, { kind: "refused", status: 400 })
  })
})
