/** The host's own `finished`: called once it is over, kept through a close, seen when it fails. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { type Job, open, Refused, type Verbatim } from "@verbatim/embed"
import { onTestFinished } from "vitest"
import { noting, untilNotice } from "./Noting.ts"
import { measuring, openFor, recording, rejection } from "./Opened.ts"

const isTold = ({ notice }: Job): boolean => notice?.state === "told"

describe("finished", () => {
  it("is called with the job when it is over, and again when it is wanted", async () => {
    const { calls, hook: finished } = noting()
    const verbatim = await openFor({ finished })
    const wanted = { media: recording, workspace: "acme", callbackId: "7" }
    const job = await verbatim.transcribe(wanted)
    assert.strictEqual(job.notice?.state, "pending")
    await untilNotice(verbatim, job, isTold)
    assert.lengthOf(calls, 1)
    const [first] = calls
    assert(first !== undefined)
    assert.strictEqual(first.job.workspace.name, "acme")
    assert.strictEqual(first.job.callbackId, "7")
    assert.isTrue(first.job.isOver)
    assert.strictEqual(first.call.attempt, 1)
    await verbatim.jobs.renotify(job)
    await untilNotice(verbatim, job, (found) => isTold(found) && calls.length === 2)
    assert.notStrictEqual(calls[1]?.call.id, first.call.id)
  })

  it("may ask for the results within the call", async () => {
    const texts: Array<string | undefined> = []
    const verbatim: Verbatim = await openFor({
      finished: async (job) => {
        const result = await verbatim.jobs.result(job)
        texts.push(result.state === "completed" ? result.transcript?.segments[0]?.text : undefined)
      }
    })
    const job = await verbatim.transcribe({ media: recording })
    await untilNotice(verbatim, job, isTold)
    assert.deepStrictEqual(texts, ["60900 ms"])
  })

  it.each<[what: string, fail: () => Promise<void>]>([
    ["rejects", () => Promise.reject(new RangeError("the mail server is down"))],
    [
      "throws at once",
      () => {
        throw new RangeError("the mail server is down")
      }
    ]
  ])("is tried again, and is seen in the history, when it %s", async (_, fail) => {
    const { calls, hook: finished } = noting(fail)
    const verbatim = await openFor({ finished })
    const job = await verbatim.transcribe({ media: recording })
    const failed = await untilNotice(
      verbatim,
      job,
      ({ notice }) => notice?.state === "pending" && notice.attempts === 1 && notice.dueAt !== null
    )
    assert.lengthOf(calls, 1)
    assert(failed.notice?.state === "pending" && failed.notice.dueAt !== null)
    assert.isAbove(failed.notice.dueAt.getTime(), failed.acceptedAt.getTime() + 59_000)
    const history = await verbatim.jobs.history(job)
    const about = history.filter(({ about }) => about === "notice")
    assert.deepStrictEqual(
      about.map(({ event }) => event),
      ["AttemptStarted", "RetryScheduled"]
    )
    assert.deepStrictEqual(
      about.map(({ hook }) => hook),
      ["finished", "finished"]
    )
    assert.strictEqual(about[1]?.failure?.code, "ListenerFailed")
  })

  it("waits for a process that has it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "verbatim-embed-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const options = { database: `sqlite:${join(folder, "app.db")}`, media: join(folder, "media") }
    const { calls, hook: finished } = noting()
    const web = await open({ ...options, roles: ["http"], finished })
    const job = await web.transcribe({ media: recording })
    const deaf = await open({ ...options, transcribe: measuring })
    await deaf.wait(job)
    await Promise.all([web.close(), deaf.close()])
    assert.isEmpty(calls)
    const hearing = await openFor({ ...options, finished })
    await untilNotice(hearing, job, isTold)
    assert.lengthOf(calls, 1)
  })

  it("is not wanted again while it is under way, or where there is none", async () => {
    const gate = Promise.withResolvers<void>()
    const { called, hook: finished } = noting(() => gate.promise)
    const verbatim = await openFor({ finished })
    const job = await verbatim.transcribe({ media: recording })
    await called
    const fault = await rejection(verbatim.jobs.renotify(job))
    assert.instanceOf(fault, Refused)
    gate.resolve()
    const plain = await openFor()
    const silent = await plain.transcribe({ media: recording })
    await plain.wait(silent)
    assert.propertyVal(await rejection(plain.jobs.renotify(silent)), "code", "NoticeMissing")
  })
})
