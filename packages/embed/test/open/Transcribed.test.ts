/** The host's own `transcribed`: called before all else, and it holds up nothing that follows. */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { assert, describe, it } from "@effect/vitest"
import { InvalidInput, type Job, open, type Verbatim } from "@verbatim/embed"
import { onTestFinished } from "vitest"
import { newFolder } from "./NewFolder.ts"
import { noting, untilNotice } from "./Noting.ts"
import { measuring, openFor, recording, rejection } from "./Opened.ts"

const isTold = ({ transcriptNotice }: Job): boolean => transcriptNotice?.state === "told"

/** How often the hook has failed, as far as nobody is calling it. */
const failuresOf = ({ transcriptNotice }: Job): number => {
  if (transcriptNotice?.state === "failed") return transcriptNotice.attempts
  return transcriptNotice?.state === "pending" && transcriptNotice.dueAt !== null
    ? transcriptNotice.attempts
    : 0
}

describe("transcribed", () => {
  it("is called with the transcript, before the summary is made", async () => {
    const order: Array<string> = []
    const verbatim: Verbatim = await openFor({
      transcribed: async (job, { attempt }) => {
        const { body } = await verbatim.jobs.render(job, "plain_text")
        order.push(`transcribed ${attempt}: ${body.trim()}, summary ${job.summary?.state}`)
      },
      summarize: async () => {
        order.push("summarize")
        return "a summary"
      },
      finished: async ({ summary }) => {
        order.push(`finished: ${summary?.state}`)
      }
    })
    const job = await verbatim.transcribe({ media: recording, summary: "brief" })
    assert.strictEqual(job.transcriptNotice?.state, "pending")
    await untilNotice(verbatim, job, ({ notice }) => notice?.state === "told")
    assert.deepStrictEqual(order, [
      "transcribed 1: 60900 ms, summary pending",
      "summarize",
      "finished: completed"
    ])
  })

  it("that throws is called three times, while the summary goes on, and is given up", async () => {
    const file = join(newFolder(), "app.db")
    const { calls, hook } = noting(() => {
      throw new RangeError("the index is down")
    })
    const summarize = async () => "a summary"
    const told = noting()
    const verbatim = await openFor({
      ...{ database: `sqlite:${file}`, transcribed: hook, summarize, finished: told.hook }
    })
    const job = await verbatim.transcribe({ media: recording, summary: "brief" })
    const result = await verbatim.wait(job)
    assert(result.state === "completed")
    assert.strictEqual(result.summary, "a summary")
    const database = new DatabaseSync(file)
    onTestFinished(() => database.close())
    for (const attempt of [1, 2]) {
      await untilNotice(verbatim, job, (found) => failuresOf(found) === attempt)
      assert.lengthOf(told.calls, 0)
      // The minute until the next attempt is over.
      database.exec("UPDATE work SET due_at = 0")
    }
    await told.called
    const failed = await verbatim.jobs.get(job)
    assert(failed.transcriptNotice?.state === "failed")
    assert.strictEqual(failed.transcriptNotice.failure.code, "ListenerFailed")
    assert.strictEqual(new Set(calls.map(({ call }) => call.id)).size, 1)
    const history = await verbatim.jobs.history(job)
    const about = history.filter(({ hook }) => hook === "transcribed")
    assert.deepStrictEqual(
      about.map(({ event }) => event),
      [
        ...["AttemptStarted", "RetryScheduled", "AttemptStarted", "RetryScheduled"],
        ...["AttemptStarted", "GivenUp"]
      ]
    )
    assert.include(about.at(-1)?.failure?.detail ?? "", "the index is down")
    const places = ["SummaryProduced", "GivenUp"].map((event) =>
      history.findIndex((each) => each.event === event)
    )
    assert.isBelow(places[0] ?? 0, places[1] ?? 0)
  })

  it("is called again when it is wanted, and only it", async () => {
    const { calls, hook } = noting()
    const told = noting()
    const verbatim = await openFor({ transcribed: hook, finished: told.hook })
    const job = await verbatim.transcribe({ media: recording })
    await untilNotice(verbatim, job, ({ notice }) => notice?.state === "told")
    await verbatim.jobs.renotify(job, "transcribed")
    await untilNotice(verbatim, job, (found) => isTold(found) && calls.length === 2)
    assert.lengthOf(told.calls, 1)
    assert.notStrictEqual(calls[0]?.call.id, calls[1]?.call.id)
    const renotify = verbatim.jobs.renotify.bind(verbatim.jobs)
    const fault = await rejection(Reflect.apply(renotify, undefined, [job, "transcibed"]))
    assert.instanceOf(fault, InvalidInput)
    assert.include(String(fault), "transcribed")
  })

  it("is not called for a job without a transcript", async () => {
    const { calls, hook } = noting()
    const told = noting()
    const verbatim = await openFor({
      transcribe: () => Promise.resolve({ language: "en", segments: [] }),
      transcribed: hook,
      finished: told.hook
    })
    const job = await verbatim.transcribe({ media: import.meta.filename, filename: "noise.mp3" })
    await told.called
    assert.strictEqual((await verbatim.jobs.get(job)).transcription.state, "failed")
    assert.isNull((await verbatim.jobs.get(job)).transcriptNotice)
    assert.lengthOf(calls, 0)
  })

  it("waits for a process that has it", async () => {
    const folder = newFolder()
    const options = { database: `sqlite:${join(folder, "app.db")}`, media: join(folder, "media") }
    const { calls, hook } = noting()
    const web = await open({ ...options, roles: ["http"], transcribed: hook })
    const job = await web.transcribe({ media: recording })
    const other = noting()
    const deaf = await open({ ...options, transcribe: measuring, finished: other.hook })
    await deaf.wait(job)
    await Promise.all([web.close(), deaf.close()])
    assert.isEmpty(calls)
    const hearing = await openFor({ ...options, transcribed: hook })
    await untilNotice(hearing, job, isTold)
    assert.lengthOf(calls, 1)
    assert.isEmpty(other.calls)
  })
})
