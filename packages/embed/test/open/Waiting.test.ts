/**
 * Tests that callers wait for jobs independently of each other, and that `close` ends their wait.
 */
import { assert, describe, it } from "@effect/vitest"
import { open } from "@verbatim/embed"
import {
  collectFaults,
  ended,
  gated,
  newStore,
  openFor,
  recording,
  refusal,
  rejection
} from "./Opened.ts"

const start = async () => {
  const gate = gated()
  const verbatim = await openFor({ transcribe: gate.transcribe })
  const { id } = await verbatim.transcriptions.create({ path: recording })
  return { gate, id, verbatim, wait: verbatim.transcriptions.wait }
}

describe("transcriptions.wait", () => {
  it("serves two callers with different options independently of each other", async () => {
    const { gate, id, wait } = await start()
    const leaving = new AbortController()
    const left = wait(id, { signal: leaving.signal })
    const stayed = wait(id)
    await gate.begun
    leaving.abort(new Error("tired"))
    assert.propertyVal(await rejection(left), "message", "tired")
    gate.open()
    assert.strictEqual((await stayed).status, "COMPLETED")
  })

  it("reports progress, and rejects only the call whose progress listener throws", async () => {
    const { gate, id, verbatim, wait } = await start()
    await gate.begun
    const waited = wait(id, {
      interval: 20,
      onProgress: ({ status }) => {
        throw new Error(`not ${status}`)
      }
    })
    assert.propertyVal(await rejection(waited), "message", "not IN_PROGRESS")
    gate.open()
    assert.strictEqual((await ended(verbatim, id)).status, "COMPLETED")
  })
})

describe("close", () => {
  it("rejects pending calls without unhandled rejections", async () => {
    const faults = collectFaults()
    const { gate, id, verbatim, wait } = await start()
    const waited = wait(id)
    const rejected = refusal(503, waited)
    await gate.begun
    await verbatim.close()
    await rejected
    for (const call of [verbatim, verbatim.as({ workspace: "acme" })]) {
      await refusal(503, call.transcriptions.get(id))
      const { message } = await refusal(503, call.presets.list())
      assert.strictEqual(message, "Verbatim was closed")
    }
    assert.strictEqual((await verbatim.fetch(new Request("http://here/health"))).status, 503)
    await verbatim.close()
    await new Promise((resolve) => setImmediate(resolve))
    assert.isEmpty(faults)
  })

  it("leaves unfinished jobs to the next process", async () => {
    const store = newStore()
    const gate = gated()
    const first = await open({ ...store, transcribe: gate.transcribe })
    const { id } = await first.as({ workspace: "acme" }).transcriptions.create({ path: recording })
    await gate.begun
    await first.close()
    const second = await openFor(store)
    const { status } = await ended(second.as({ workspace: "acme" }), id)
    assert.strictEqual(status, "COMPLETED")
  })
})
