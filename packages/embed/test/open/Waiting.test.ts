/** Waiting: each for itself, without polling where the process works, and not for ever. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Closed, NotFound, open, type Recognise } from "@verbatim/embed"
import { onTestFinished } from "vitest"
import { measuring, openFor, recording, rejection } from "./Opened.ts"

/** An engine that waits until it may answer. */
const gated = () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const transcribe: Recognise = async (wanted) => {
    wanted.progress(0.25)
    begin()
    await Promise.race([promise, once(wanted.signal)])
    return measuring(wanted)
  }
  return { transcribe, open: resolve, begun }
}

const once = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })

describe("wait", () => {
  it("answers each of two who disagree for itself", async () => {
    const gate = gated()
    const verbatim = await openFor({ transcribe: gate.transcribe })
    const job = await verbatim.transcribe({ media: recording })
    const leaving = new AbortController()
    const left = verbatim.wait(job, { signal: leaving.signal })
    const stayed = verbatim.wait(job)
    await gate.begun
    leaving.abort(new Error("tired"))
    assert.propertyVal(await rejection(left), "message", "tired")
    gate.open()
    assert.strictEqual((await stayed).state, "completed")
  })

  it("tells progress, and a listener that fails ends the waiting alone", async () => {
    const gate = gated()
    const verbatim = await openFor({ transcribe: gate.transcribe })
    const job = await verbatim.transcribe({ media: recording })
    const told: Array<number> = []
    const waited = verbatim.wait(job, {
      onProgress: (fraction) => {
        told.push(fraction)
        gate.open()
        throw new Error("not here")
      }
    })
    assert.propertyVal(await rejection(waited), "message", "not here")
    assert.deepStrictEqual(told, [0.25])
    assert.strictEqual((await verbatim.wait(job)).state, "completed")
  })

  it("ends at once for a job that is over, and for one that is not there", async () => {
    const verbatim = await openFor()
    const job = await verbatim.transcribe({ media: recording })
    await verbatim.wait(job)
    assert.strictEqual((await verbatim.wait(job)).state, "completed")
    assert.instanceOf(await rejection(verbatim.wait({ id: "none" })), NotFound)
  })

  it("ends when the job is removed", async () => {
    const gate = gated()
    const verbatim = await openFor({ transcribe: gate.transcribe })
    const job = await verbatim.transcribe({ media: recording })
    const waited = verbatim.wait(job)
    await gate.begun
    await verbatim.jobs.remove(job)
    assert.instanceOf(await rejection(waited), NotFound)
  })

  it("is rejected at the close, and unheeded crashes nobody", async () => {
    const faults: Array<unknown> = []
    const listener = (fault: unknown) => faults.push(fault)
    process.on("unhandledRejection", listener)
    onTestFinished(() => {
      process.off("unhandledRejection", listener)
    })
    const gate = gated()
    const verbatim = await openFor({ transcribe: gate.transcribe })
    const job = await verbatim.transcribe({ media: recording })
    void verbatim.wait(job)
    const heeded = verbatim.wait(job)
    await gate.begun
    await verbatim.close()
    assert.instanceOf(await rejection(heeded), Closed)
    assert.instanceOf(await rejection(verbatim.jobs.get(job)), Closed)
    assert.strictEqual((await verbatim.fetch(new Request("http://here/health"))).status, 503)
    await verbatim.close()
    await new Promise((resolve) => setImmediate(resolve))
    assert.isEmpty(faults)
  })

  it("goes on in the next process where one was closed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "verbatim-embed-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const options = { database: `sqlite:${join(folder, "app.db")}`, media: join(folder, "media") }
    const gate = gated()
    const first = await open({ ...options, transcribe: gate.transcribe })
    const job = await first.transcribe({ media: recording, workspace: "acme" })
    await gate.begun
    await first.close()
    const second = await openFor({ ...options })
    const result = await second.wait({ id: job.id, workspace: "acme" })
    assert.strictEqual(result.state, "completed")
  })

  it("sees what another process does", async () => {
    const folder = mkdtempSync(join(tmpdir(), "verbatim-embed-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const options = { database: `sqlite:${join(folder, "app.db")}`, media: join(folder, "media") }
    const web = await open({ ...options, roles: ["http"] })
    onTestFinished(() => web.close())
    const job = await web.transcribe({ media: recording })
    const waited = web.wait(job)
    await openFor(options)
    assert.strictEqual((await waited).state, "completed")
  })
})
